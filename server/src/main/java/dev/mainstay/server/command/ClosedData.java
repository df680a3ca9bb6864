package dev.mainstay.server.command;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's data directory, closed to all others. Where the node is root, test users pass through
 * it to their own files, without seeing what else is there; PostgreSQL passes to its own.
 */
public final class ClosedData {
  private static final Logger log = LoggerFactory.getLogger("mainstay");
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);

  private ClosedData() {}

  /**
   * Closes what is there. Folders that come into being later are made now, each with its rights:
   * {@code work/tests} is passed through, and {@code work/git} holds copies of all repositories.
   */
  public static void close(Path data) {
    boolean root = TestUser.areThere();
    Path work = data.resolve("work");
    Path tests = work.resolve("tests");
    try {
      Files.createDirectories(tests);
      Files.createDirectories(work.resolve("git"));
      for (Path directory : List.of(data, work)) {
        try (var inside = Files.newDirectoryStream(directory)) {
          for (Path file : inside) {
            if (!isProgram(file) && !Files.isSymbolicLink(file)) {
              set(file, root, file.equals(work) || file.equals(tests));
            }
          }
        }
      }
      set(data, root, true);
    } catch (IOException e) {
      throw new StartFailure(
          "The data directory %s cannot be closed to other users (%s): make it the node's own."
              .formatted(data, e),
          e);
    }
  }

  /** Programs that other users run: PostgreSQL's, and our own for test commands. */
  private static boolean isProgram(Path file) {
    String name = file.getFileName().toString();
    return name.equals("program")
        || (name.startsWith("postgres-") && Files.isDirectory(file.resolve("bin")));
  }

  private static void set(Path file, boolean root, boolean passable) throws IOException {
    try {
      var before = Files.getPosixFilePermissions(file);
      var after = EnumSet.noneOf(PosixFilePermission.class);
      after.addAll(before);
      after.removeAll(OTHERS);
      if (root && passable) {
        after.add(PosixFilePermission.OTHERS_EXECUTE);
      }
      if (!after.equals(before)) {
        Files.setPosixFilePermissions(file, after);
      }
    } catch (NoSuchFileException e) {
      // A draft that was renamed meanwhile.
    } catch (FileSystemException e) {
      if (root) {
        throw e;
      }
      log.warn("{} is another user's and stays open to others", file);
    }
  }
}
