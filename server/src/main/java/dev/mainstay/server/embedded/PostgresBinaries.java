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
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.xz.XZCompressorInputStream;

/** PostgreSQL's own programs, carried inside the jar and unpacked once per version. */
final class PostgresBinaries {
  /** The archives that a build may carry, by what Java calls the system and its architecture. */
  private static final Map<String, String> ARCHIVES =
      Map.of(
          "Linux on amd64",
          "/postgres-linux-x86_64.txz",
          "Linux on aarch64",
          "/postgres-linux-arm_64.txz",
          "Mac OS X on x86_64",
          "/postgres-darwin-x86_64.txz",
          "Mac OS X on aarch64",
          "/postgres-darwin-arm_64.txz");

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
    Path home = data.resolve("postgres-" + BuildInfo.postgresVersion() + suffix(architecture));
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

  /**
   * The directory with the programs that can run the database there: our own, or those of an older
   * Mainstay, which lie where it unpacked them.
   */
  static Path forDatabaseIn(DataDirectory data) throws IOException {
    return forDatabaseIn(data, majorVersion());
  }

  static Path forDatabaseIn(DataDirectory data, String ours) throws IOException {
    String made = data.databaseVersion().orElse(ours);
    if (made.equals(ours)) {
      return unpackInto(data);
    }
    return unpacked(data, made).orElseThrow(() -> otherVersion(data, made, ours));
  }

  /** Programs of this major version that were unpacked before. */
  static Optional<Path> unpacked(DataDirectory data, String major) {
    String suffix = suffix(System.getProperty("os.arch"));
    Pattern name =
        Pattern.compile("postgres-%s(\\.[0-9]+)*%s".formatted(Pattern.quote(major), suffix));
    try (var files = Files.list(data.root())) {
      return files
          .filter(file -> name.matcher(file.getFileName().toString()).matches())
          .max(Comparator.naturalOrder());
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The way out for a database that the PostgreSQL of this program cannot read. */
  static StartFailure otherVersion(DataDirectory data, String made, String ours) {
    boolean older = made.matches("\\d{1,4}") && Integer.parseInt(made) < Integer.parseInt(ours);
    String sentence =
        "The database in %s was made by PostgreSQL %s and this Mainstay carries %s"
            .formatted(data, made, ours);
    if (!older) {
      return new StartFailure(sentence + ": run the Mainstay that made it, or a later one.");
    }
    String who =
        unpacked(data, made).isPresent()
            ? ""
            : " (by the Mainstay that made it, since the programs of PostgreSQL %s are not in %s)"
                .formatted(made, data);
    return new StartFailure(
        "%1$s. Take it over: `mainstay backup --data-dir %2$s %2$s.backup`%3$s, `mv %2$s %2$s.old`, `mainstay restore --data-dir %2$s %2$s.backup`; then start again."
            .formatted(sentence, data, who));
  }

  private static String suffix(String architecture) {
    return architecture.equals("amd64") ? "" : "-" + architecture;
  }

  private static URL archive(String system, String architecture) {
    String name = ARCHIVES.get(system + " on " + architecture);
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
        .map(Map.Entry::getKey)
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
