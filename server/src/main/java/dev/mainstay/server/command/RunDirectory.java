package dev.mainstay.server.command;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The files of one test, and a lock beside them that tells whether somebody still cares. */
record RunDirectory(Path path, Path lockFile, FileChannel channel) {
  static final String MARK = "MAINSTAY_TEST_RUN";
  private static final Logger log = LoggerFactory.getLogger(RunDirectory.class);
  private static final String SUFFIX = ".lock";

  static RunDirectory create(Path parent) throws IOException {
    Files.createDirectories(parent);
    String id = UUID.randomUUID().toString();
    RunDirectory made =
        locked(parent.resolve(id + SUFFIX), true)
            .orElseThrow(() -> new IOException("a name was given twice"));
    Files.createDirectories(made.files());
    Files.createDirectories(made.temporary());
    Files.createDirectories(made.home());
    return made;
  }

  /** The directories on which nobody holds a lock. */
  static List<RunDirectory> abandoned(Path parent) throws IOException {
    var found = new ArrayList<RunDirectory>();
    if (Files.isDirectory(parent)) {
      try (var locks = Files.newDirectoryStream(parent, "*" + SUFFIX)) {
        for (Path lock : locks) {
          locked(lock, false).ifPresent(found::add);
        }
      }
    }
    return found;
  }

  private static Optional<RunDirectory> locked(Path lockFile, boolean create) throws IOException {
    try {
      FileChannel channel =
          create
              ? FileChannel.open(lockFile, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)
              : FileChannel.open(lockFile, StandardOpenOption.WRITE);
      if (lock(channel).isPresent()) {
        String name = lockFile.getFileName().toString();
        String id = name.substring(0, name.length() - SUFFIX.length());
        return Optional.of(new RunDirectory(lockFile.resolveSibling(id), lockFile, channel));
      }
      channel.close();
    } catch (NoSuchFileException e) {
      log.debug("somebody else removed {}", lockFile);
    }
    return Optional.empty();
  }

  private static Optional<FileLock> lock(FileChannel channel) throws IOException {
    try {
      return Optional.ofNullable(channel.tryLock());
    } catch (OverlappingFileLockException e) {
      return Optional.empty();
    }
  }

  Path files() {
    return path.resolve("checkout");
  }

  Path temporary() {
    return path.resolve("tmp");
  }

  /** A home that is gone afterwards. */
  Path home() {
    return path.resolve("home");
  }

  /** Makes all of it the user's, and nobody else's. */
  void give(TestUser user) throws IOException, InterruptedException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    String owner = "%d:%1$d".formatted(user.number());
    if (new ProcessBuilder("chown", "-hR", owner, "--", path.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        != 0) {
      throw new IOException("the files of a test cannot be given to its user");
    }
    OwnObjects.give(files(), user);
  }

  /** The test user that these files belong to, where there is one. */
  Optional<Integer> user() {
    try {
      return Optional.of(TestUser.owner(path)).filter(TestUser::isOne);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** The directory of programs that a test finds before all others. */
  Path programs() {
    return path.resolve("bin");
  }

  /** Puts {@code mainstay} there, which starts this command line with more arguments. */
  void put(List<String> program) throws IOException {
    if (program.isEmpty()) {
      return;
    }
    String words = program.stream().map(RunDirectory::quoted).collect(Collectors.joining(" "));
    Path script = Files.createDirectories(programs()).resolve("mainstay");
    Files.writeString(script, "#!/bin/sh\nexec %s \"$@\"\n".formatted(words));
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }

  /** The variable that every process of the test has in its environment. */
  String mark() {
    return MARK + "=" + path.getFileName();
  }

  /**
   * Removes the files by rm, which manages trees too deep for a path name; also those that were
   * made read-only.
   */
  void remove() {
    try {
      String script = "chmod -R u+rwx \"$1\" 2>/dev/null; rm -rf -- \"$1\"";
      int exit =
          new ProcessBuilder("sh", "-c", script, "sh", path.toString())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
      if (exit != 0 || Files.exists(path)) {
        log.warn("the files of a test could not be removed from {}", path);
      } else {
        Files.deleteIfExists(lockFile);
      }
      channel.close();
    } catch (IOException e) {
      log.warn("the files of a test could not be removed from {}", path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
