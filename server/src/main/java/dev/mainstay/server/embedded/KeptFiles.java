package dev.mainstay.server.embedded;

import java.nio.file.Path;
import java.util.List;

/** The files of a data directory that hold secrets, and are for their owner alone. */
public final class KeptFiles {
  private KeptFiles() {}

  public static List<Path> secret(Path dataDirectory) {
    var data = new DataDirectory(dataDirectory.toAbsolutePath().normalize());
    return List.of(data.resolve("database-password"), data.cluster());
  }
}
