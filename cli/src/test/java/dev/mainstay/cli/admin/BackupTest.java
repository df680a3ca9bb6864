package dev.mainstay.cli.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.DocumentBlock;
import dev.mainstay.cli.OpenDirectory;
import dev.mainstay.cli.PreparedData;
import dev.mainstay.cli.ServedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A backup as docs/operations.md says it is made. */
class BackupTest {
  @Test
  void a_copy_of_a_stopped_data_directory_is_a_mainstay_again() throws Exception {
    try (var directory = OpenDirectory.create()) {
      Path data = directory.resolve("data");
      PreparedData.copyTo(data);
      String key;
      try (var node = new ServedNode(data, directory.resolve("log"), Map.of())) {
        assertThat(node.awaitListening()).isTrue();
        key = node.shownKey().orElseThrow();
      }
      String command =
          DocumentBlock.in("sh").stream()
              .map(DocumentBlock::text)
              .filter(text -> text.startsWith("cp "))
              .findFirst()
              .orElseThrow()
              .replace("/srv/", directory.path() + "/");
      var copy = new ProcessBuilder("sh", "-ec", command).inheritIO();
      copy.environment().put("MAINSTAY_DATA_DIR", data.toString());
      assertThat(copy.start().waitFor()).isZero();
      Path backup = directory.resolve("backup");
      Files.move(data, directory.resolve("lost"));
      checkCopyWithoutOwners(directory);
      var listed =
          Cli.in(directory.path())
              .with(Map.of("MAINSTAY_DATA_DIR", backup.toString()))
              .run("keys list");
      assertThat(listed.exitCode()).as(listed.err()).isZero();
      try (var node = new ServedNode(backup, directory.resolve("log"), Map.of())) {
        assertThat(node.awaitListening()).isTrue();
        assertThat(node.get("/v1/whoami", key).statusCode()).isEqualTo(200);
      }
    }
  }

  /** Only root's copies lose their owners. */
  private static void checkCopyWithoutOwners(OpenDirectory directory) throws Exception {
    if (!System.getProperty("user.name").equals("root")) {
      return;
    }
    Path copy = directory.resolve("copy");
    shell("cp -r %s %s".formatted(directory.resolve("lost"), copy));
    var told = Cli.in(directory.path()).run("keys list --data-dir " + copy);
    assertThat(told.exitCode()).isEqualTo(1);
    assertThat(told.err()).contains("belongs to root").contains("cp -a");
    shell(told.err().replaceFirst("(?s).*: `(cd [^`]*)`.*", "$1"));
    assertThat(Cli.in(directory.path()).run("keys list --data-dir " + copy).exitCode()).isZero();
  }

  private static void shell(String command) throws Exception {
    assertThat(new ProcessBuilder("sh", "-ec", command).inheritIO().start().waitFor()).isZero();
  }
}
