package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.StartFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's own programs, carried inside the jar and unpacked once per version. */
final class PostgresBinaries {
  /** The archives that a build may carry, by the architecture that Java calls {@code os.arch}. */
  private static final Map<String, String> ARCHIVES =
      Map.of("amd64", "/postgres-linux-x86_64.txz", "aarch64", "/postgres-linux-arm_64.txz");

  private PostgresBinaries() {}

  /** The directory with {@code bin/postgres}, unpacked whole or not at all. */
  static Path unpackInto(DataDirectory data) throws IOException {
    return unpackInto(data, System.getProperty("os.name"), System.getProperty("os.arch"));
  }

  /**
   * A directory that was moved here from another architecture keeps that one's programs beside
   * ours.
   */
  static Path unpackInto(DataDirectory data, String system, String architecture)
      throws IOException {
    URL archive = archive(system, architecture);
    String suffix = architecture.equals("amd64") ? "" : "-" + architecture;
    Path home = data.resolve("postgres-" + BuildInfo.postgresVersion() + suffix);
    if (Files.exists(home)) {
      return home;
    }
    Path draft = data.resolve("postgres.new");
    DataDirectory.deleteRecursively(draft);
    try (InputStream content = archive.openStream()) {
      unpack(content, draft);
    }
    return Files.move(draft, home, StandardCopyOption.ATOMIC_MOVE);
  }

  private static URL archive(String system, String architecture) {
    String name = system.equals("Linux") ? ARCHIVES.get(architecture) : null;
    URL archive = name == null ? null : PostgresBinaries.class.getResource(name);
    if (archive == null) {
      throw new StartFailure(
          "This Mainstay carries PostgreSQL for %s, and this machine is %s on %s: give --database-url (MAINSTAY_DATABASE_URL) a PostgreSQL of yours%s."
              .formatted(
                  carried(),
                  system,
                  architecture,
                  name == null ? "" : ", or run a Mainstay that was built on such a machine"));
    }
    return archive;
  }

  private static String carried() {
    return ARCHIVES.entrySet().stream()
        .filter(archive -> PostgresBinaries.class.getResource(archive.getValue()) != null)
        .map(archive -> "Linux on " + archive.getKey())
        .sorted()
        .reduce((a, b) -> a + " and " + b)
        .orElse("no machine");
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
