package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.embedded.DataDirectory;
import dev.mainstay.server.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Data directories before the first start of a node, but with PostgreSQL unpacked and an empty
 * database made. That takes seconds, so it is done once and copied.
 */
public final class PreparedData {
  private static final OpenDirectory ORIGINAL = make();

  private PreparedData() {}

  private static OpenDirectory make() {
    var original = OpenDirectory.create();
    Runtime.getRuntime().addShutdownHook(new Thread(original::close));
    EmbeddedPostgres.tryStart(DataDirectory.at(original.path()), () -> {}).orElseThrow().close();
    return original;
  }

  /** Makes a directory; files keep their owner, as PostgreSQL wants it. */
  public static void copyTo(Path data) {
    try {
      var copy = new ProcessBuilder("cp", "-a", ORIGINAL.path().toString(), data.toString());
      assertThat(copy.inheritIO().start().waitFor()).isZero();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
