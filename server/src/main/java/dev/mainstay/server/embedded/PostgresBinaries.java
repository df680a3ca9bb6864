package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.StartFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's own programs, carried inside the jar and unpacked once per version. */
final class PostgresBinaries {
  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";

  private PostgresBinaries() {}

  /** The directory with {@code bin/postgres}, unpacked whole or not at all. */
  static Path unpackInto(DataDirectory data) throws IOException {
    Path home = data.resolve("postgres-" + BuildInfo.postgresVersion());
    if (Files.exists(home)) {
      return home;
    }
    Path draft = data.resolve("postgres.new");
    DataDirectory.deleteRecursively(draft);
    try (InputStream archive = PostgresBinaries.class.getResourceAsStream(ARCHIVE)) {
      if (archive == null || !System.getProperty("os.arch").equals("amd64")) {
        throw new StartFailure(
            "The embedded PostgreSQL runs on Linux x86-64 only; give --database-url a PostgreSQL of"
                + " yours.");
      }
      unpack(archive, draft);
    }
    return Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
  }

  static String majorVersion() {
    return BuildInfo.postgresVersion().split("\\.", 2)[0];
  }

  private static void unpack(InputStream archive, Path target) throws IOException {
    Files.createDirectories(target);
    try (var tar =
        new TarArchiveInputStream(
            new XZCompressorInputStream(new BufferedInputStream(archive, 1 << 16)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path file = target.resolve(entry.getName()).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("entry outside of the archive: " + entry.getName());
        }
        unpack(entry, tar, file);
      }
    }
  }

  private static void unpack(TarArchiveEntry entry, InputStream content, Path file)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(file);
      return;
    }
    Files.createDirectories(file.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(file, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(content, file);
    boolean executable = (entry.getMode() & 0100) != 0;
    Files.setPosixFilePermissions(
        file, PosixFilePermissions.fromString(executable ? "rwxr-xr-x" : "rw-r--r--"));
  }
}
