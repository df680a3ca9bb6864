package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

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
    var ran =
        Cli.in(original.path())
            .with(Map.of("MAINSTAY_DATA_DIR", original.path().toString()))
            .run("org list");
    assertThat(ran.exitCode()).as(ran.err()).isZero();
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
