package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory for the copy of one repository that nobody else uses at the same time: the first that
 * is not locked. What is in it was left by a process that ended, and is used again.
 */
public final class CacheDirectory implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(CacheDirectory.class);
  private static final int MOST = 1000;
  private static final String LOCK = "lock";
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path path;
  private final FileChannel lock;

  private CacheDirectory(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /** The name that the directories of a repository begin with. */
  public static String name(GitAddress address) {
    return UUID.nameUUIDFromBytes(address.location().getBytes(StandardCharsets.UTF_8)).toString();
  }

  public static CacheDirectory take(Path root, GitAddress address) {
    String name = name(address);
    try {
      for (int i = 0; i < MOST; i++) {
        Optional<CacheDirectory> taken = taken(root.resolve(name + "-" + i));
        if (taken.isPresent()) {
          return taken.get();
        }
      }
    } catch (IOException e) {
      throw new ForgeUnavailable("There is no room for a copy of the repository in " + root, e);
    }
    throw new ForgeUnavailable("Too many copies of one repository are in use in " + root);
  }

  /** A directory, unless somebody uses it, or removes it meanwhile. */
  private static Optional<CacheDirectory> taken(Path path) throws IOException {
    // Whoever closes a file gives back all locks that this process has on it: it is not opened. And
    // it is not made either, since whoever removes it now would leave what was made behind him.
    if (!HELD.add(held(path))) {
      return Optional.empty();
    }
    Optional<CacheDirectory> taken = Optional.empty();
    try {
      taken = locked(Files.createDirectories(path));
    } catch (NoSuchFileException e) {
      log.debug("somebody removes {}", path, e);
    } finally {
      if (taken.isEmpty()) {
        HELD.remove(held(path));
      }
    }
    return taken;
  }

  private static Path held(Path path) {
    return path.toAbsolutePath().normalize();
  }

  private static Optional<CacheDirectory> locked(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    FileChannel lock = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    Optional<Object> opened = identity(file);
    if (locked(lock) && opened.isPresent() && opened.equals(identity(file))) {
      return Optional.of(new CacheDirectory(path, lock));
    }
    lock.close();
    return Optional.empty();
  }

  private static Optional<Object> identity(Path file) throws IOException {
    return Files.exists(file)
        ? Optional.ofNullable(Files.readAttributes(file, BasicFileAttributes.class).fileKey())
        : Optional.empty();
  }

  private static boolean locked(FileChannel lock) throws IOException {
    try {
      return lock.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  /** Removes the directories that nobody uses and that begin with none of these names. */
  public static void sweep(Path root, Set<String> names) {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (var folders = Files.newDirectoryStream(root, Files::isDirectory)) {
      for (Path folder : folders) {
        String name = folder.getFileName().toString().replaceFirst("-\\d+$", "");
        if (!names.contains(name)) {
          taken(folder).ifPresent(CacheDirectory::remove);
        }
      }
    } catch (IOException e) {
      log.warn("what is left in {} cannot be looked through", root, e);
    }
  }

  /** Removes all of it, the lock last: until then nobody else takes the directory. */
  public void remove() {
    try {
      deleteRecursively(repository());
      Files.deleteIfExists(settings());
      Files.deleteIfExists(path.resolve(LOCK));
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException e) {
      log.debug("somebody else has {} now", path, e);
    } catch (IOException e) {
      log.warn("the copy in {} cannot be removed", path, e);
    }
    close();
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
    } finally {
      HELD.remove(held(path));
    }
  }
}
