package dev.mainstay.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/**
 * Directories that other users may enter, as the data directory of a node that is root must be.
 * They go with the process.
 */
public final class OpenDirectories {
  private static final Path ROOT = opened(temporary());

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(OpenDirectories::remove));
  }

  private OpenDirectories() {}

  public static Path create() {
    try {
      return opened(Files.createTempDirectory(ROOT, "data"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempDirectory("mainstay-tests");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path opened(Path directory) {
    try {
      return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove() {
    try (var files = Files.walk(ROOT)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      System.err.println("left behind: " + ROOT);
    }
  }
}
