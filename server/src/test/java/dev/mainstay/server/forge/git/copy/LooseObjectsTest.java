package dev.mainstay.server.forge.git.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are written without a process. */
class LooseObjectsTest {
  @TempDir private Path dir;
  private final List<Counted> made = new ArrayList<>();

  /** The memory of one that is not ended is given back only when it is collected. */
  private static final class Counted extends Deflater {
    private int ends;

    Counted() {
      super(Deflater.BEST_SPEED);
    }

    @Override
    public void end() {
      ends++;
      super.end();
    }
  }

  private LooseObjects objects(Path place) {
    return new LooseObjects(
        place,
        List.of(),
        () -> {
          made.add(new Counted());
          return made.getLast();
        });
  }

  private static Commit commit(int number) {
    return Commit.ours("1".repeat(40), List.of(), Instant.ofEpochSecond(number), "Number\n");
  }

  @Test
  void whatever_compressed_them_is_ended() {
    for (int i = 0; i < 20; i++) {
      String sha = objects(dir).write(commit(i));
      assertThat(objects(dir).read(sha, 1000).orElseThrow().type()).isEqualTo("commit");
    }
    assertThat(made).hasSize(20).allMatch(deflater -> deflater.ends > 0);
  }

  @Test
  void it_is_ended_also_where_the_disk_does_not_take_them() throws IOException {
    Path full = Files.createSymbolicLink(dir.resolve("full"), Path.of("/dev/full"));
    assertThatThrownBy(() -> objects(dir).compress(new byte[9], new byte[9], full))
        .isInstanceOf(IOException.class);
    assertThat(made).hasSize(1).allMatch(deflater -> deflater.ends > 0);
  }
}
