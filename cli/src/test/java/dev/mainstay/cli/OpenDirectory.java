package dev.mainstay.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;

/** A temporary directory that everybody may enter: as root, PostgreSQL runs as somebody else. */
public record OpenDirectory(Path path) implements AutoCloseable {

  public static OpenDirectory create() {
    try {
      Path path = Files.createTempDirectory("mainstay-test");
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
      return new OpenDirectory(path);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public Path resolve(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    try (var files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
