package dev.mainstay.server.forge.git.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheDirectoryTest {
  @TempDir private Path root;

  @Test
  void whoever_comes_while_another_removes_one_leaves_nothing_there() throws IOException {
    var address = new GitAddress("/srv/git/shop.git");
    try (var leaving = CacheDirectory.take(root, address)) {
      Path gone = Objects.requireNonNull(leaving.repository().getParent());
      CacheDirectory.deleteRecursively(gone);
      try (var next = CacheDirectory.take(root, address)) {
        assertThat(next.repository().getParent()).isNotEqualTo(gone).isDirectory();
        assertThat(Files.exists(gone)).isFalse();
      }
    }
  }
}
