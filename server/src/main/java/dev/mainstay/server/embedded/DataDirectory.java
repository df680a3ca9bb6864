package dev.mainstay.server.embedded;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.RandomSecret;
import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The directory in which a node with an embedded database keeps everything. Whoever holds its lock
 * may start the database; the operating system releases the lock when the process dies, however it
 * dies.
 */
public record DataDirectory(Path root) {
  private static final String DATABASE_USER = "mainstay";
  private static final Pattern OF_A_START =
      Pattern.compile("lock|database(\\.new)?|database-password(\\.new)?|postgres[.-].*");

  /** Makes the directory if there is none. */
  public static DataDirectory at(Path path) {
    Path root = path.toAbsolutePath().normalize();
    try {
      Files.createDirectories(root);
    } catch (IOException e) {
      throw unwritable(root, e);
    }
    if (!Files.isWritable(root)) {
      throw unwritable(root, new AccessDeniedException(root.toString()));
    }
    return new DataDirectory(root);
  }

  /** The directory where a database was made before; empty where there is none. */
  public static Optional<DataDirectory> existing(Path path) {
    var data = new DataDirectory(path.toAbsolutePath().normalize());
    return Files.exists(data.cluster()) ? Optional.of(at(path)) : Optional.empty();
  }

  /** True where there is nothing, or nothing but what the start of a database leaves. */
  public static boolean isFree(Path path) {
    if (!Files.exists(path)) {
      return true;
    }
    try (var files = Files.list(path)) {
      return files.allMatch(file -> OF_A_START.matcher(file.getFileName().toString()).matches());
    } catch (IOException e) {
      throw unwritable(path, e);
    }
  }

  /** The address of the database that another process runs here now, if one does. */
  public Optional<Database.Address> runningDatabase() {
    try {
      var postmaster = PostmasterPid.read(cluster()).filter(p -> p.ready() && p.isAlive(cluster()));
      return postmaster.isEmpty() ? Optional.empty() : Optional.of(address(postmaster.get()));
    } catch (IOException e) {
      throw new StartFailure(
          "The database in %s can be reached only by the user that runs `mainstay serve`: run this as that user."
              .formatted(root),
          e);
    }
  }

  Path cluster() {
    return root.resolve("database");
  }

  /** The major version of the PostgreSQL that made the database; empty where there is none. */
  Optional<String> databaseVersion() throws IOException {
    return Files.exists(cluster())
        ? Optional.of(Files.readString(cluster().resolve("PG_VERSION")).strip())
        : Optional.empty();
  }

  Path resolve(String name) {
    return root.resolve(name);
  }

  Database.Address address(PostmasterPid postmaster) throws IOException {
    return new Database.Address(
        postmaster
            .socketDirectory()
            .map(directory -> UnixSocketFactory.jdbcUrl(directory, postmaster.port()))
            .orElseGet(
                () -> "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postmaster.port())),
        DATABASE_USER,
        Files.readString(passwordFile()));
  }

  /** Takes the lock until closed, or for as long as the process lives; empty if it is taken. */
  Optional<FileChannel> tryLock() {
    try {
      var channel =
          FileChannel.open(resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      try {
        if (channel.tryLock() != null) {
          return Optional.of(channel);
        }
      } catch (OverlappingFileLockException e) {
        // Taken by this very process.
      }
      channel.close();
      return Optional.empty();
    } catch (IOException e) {
      throw unwritable(root, e);
    }
  }

  /** The file with the database's password, made at the first call. */
  Path passwordFile() throws IOException {
    Path file = resolve("database-password");
    if (!Files.exists(file)) {
      writeSecret(file, RandomSecret.text());
    }
    return file;
  }

  /** Writes a file that only its owner may read, whole or not at all. */
  private static void writeSecret(Path file, String content) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(draft);
    Files.createFile(
        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    try (var channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
      channel.force(true);
    }
    Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
  }

  static void deleteRecursively(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static StartFailure unwritable(Path root, IOException cause) {
    return new StartFailure(
        "The data directory %s cannot be written: make it writable, or choose another with --data-dir."
            .formatted(root),
        cause);
  }

  @Override
  public String toString() {
    return root.toString();
  }
}
