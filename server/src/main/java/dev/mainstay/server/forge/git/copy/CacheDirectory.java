package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A directory for the copy of one repository that nobody else uses at the same time: the first that
 * is not locked. What is in it was left by a process that ended, and is used again.
 */
public final class CacheDirectory implements AutoCloseable {
  private static final int MOST = 1000;

  private final Path path;
  private final FileChannel lock;

  private CacheDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  public static CacheDirectory take(Path root, GitAddress address) {
    String name =
        UUID.nameUUIDFromBytes(address.location().getBytes(StandardCharsets.UTF_8)).toString();
    try {
      for (int i = 0; i < MOST; i++) {
        Path path = Files.createDirectories(root.resolve(name + "-" + i));
        FileChannel lock =
            FileChannel.open(
                path.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (locked(lock)) {
          return new CacheDirectory(path, lock);
        }
        lock.close();
      }
    } catch (IOException e) {
      throw new ForgeUnavailable("There is no room for a copy of the repository in " + root, e);
    }
    throw new ForgeUnavailable("Too many copies of one repository are in use in " + root);
  }

  private static boolean locked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  Path repository() {
    return path.resolve("repository.git");
  }

  Path settings() {
    return path.resolve("settings");
  }

  public void clear() throws IOException {
    Files.createDirectories(path);
    deleteRecursively(repository());
  }

  /** Deletes a directory, also where it was made read-only; a link is removed, not followed. */
  public static void deleteRecursively(Path root) throws IOException {
    if (!Files.exists(root, java.nio.file.LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
              throws IOException {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException fault)
              throws IOException {
            Files.deleteIfExists(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new IllegalStateException("The lock of " + path + " cannot be given back", e);
    }
  }
}
