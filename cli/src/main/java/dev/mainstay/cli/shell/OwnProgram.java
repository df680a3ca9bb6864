package dev.mainstay.cli.shell;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** This very program, as a command line that starts it again from anywhere. */
public final class OwnProgram {
  private static final String MAIN = "dev.mainstay.cli.Main";

  private OwnProgram() {}

  /** The same Java with the same classes, tuned for a short life. */
  public static List<String> commandLine() {
    String classes =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(entry -> Path.of(entry).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1",
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        classes,
        MAIN);
  }
}
