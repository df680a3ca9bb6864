package dev.mainstay.server.command;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A user of the machine for one test command at a time, where the node is root. Nobody else has its
 * number: it is above those of people and below those that systemd gives out. So all its processes
 * are of that command, and it can touch nothing but the command's own files. A lock that all nodes
 * of the machine see, and that dies with its node, says whose it is; another, which the keeper of
 * its command holds, that what a dead node left is not ended yet.
 */
record TestUser(int number, Path lockFile, FileChannel lock) implements AutoCloseable {
  static final int FIRST = 60_800;
  static final int LAST = 61_099;

  /**
   * Finds out what users of test commands can do, and is none of them: a command ends all processes
   * of its own user whenever it likes, and must not make a node that starts believe anything.
   */
  static final int SCOUT = LAST + 1;

  private static final int ROOT = 0;
  private static final int KEPT = 75;
  private static final Path RUN = Path.of("/run");
  private static final Set<Integer> OURS = new HashSet<>();

  /** True where the node is root and may become others, which root of some containers may not. */
  static boolean areThere() {
    return Tried.WORKS;
  }

  private static final class Tried {
    static final boolean WORKS = works();

    private static boolean works() {
      try {
        var command = new ArrayList<>(words(SCOUT));
        command.addAll(List.of("--", "true"));
        return owner(Path.of("/proc/self")) == ROOT
            && new ProcessBuilder(command).start().waitFor() == 0;
      } catch (IOException e) {
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }

  static int owner(Path file) throws IOException {
    return (int) Files.getAttribute(file, "unix:uid");
  }

  static boolean isOne(int number) {
    return number >= FIRST && number <= LAST;
  }

  /** A user who is free; nothing is left of what it did before. */
  static TestUser take(Path directory) throws IOException {
    Set<Integer> people = people();
    for (int number = FIRST; number <= LAST; number++) {
      if (!people.contains(number)) {
        Optional<TestUser> user = take(directory, number);
        if (user.isPresent()) {
          return user.get();
        }
      }
    }
    throw new IOException("all users from %d to %d are taken".formatted(FIRST, LAST));
  }

  /** This user, unless somebody has it, or a keeper is at its leftovers; those are ended. */
  static Optional<TestUser> take(Path directory, int number) throws IOException {
    Optional<TestUser> taken = locked(directory, number);
    if (taken.isPresent() && !taken.get().endLeftovers()) {
      taken.get().close();
      return Optional.empty();
    }
    return taken;
  }

  /**
   * A second open file of ours would give the lock up when it is closed, so we ask ourselves first.
   */
  private static synchronized Optional<TestUser> locked(Path directory, int number)
      throws IOException {
    if (OURS.contains(number)) {
      return Optional.empty();
    }
    Path locks =
        Files.isWritable(RUN) ? RUN.resolve("mainstay-test-users") : directory.resolve("users");
    Files.createDirectories(locks);
    Path lockFile = locks.resolve("" + number);
    FileChannel channel =
        FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        OURS.add(number);
        return Optional.of(new TestUser(number, lockFile, channel));
      }
    } catch (OverlappingFileLockException e) {
      // Another class loader of this process has it.
    }
    channel.close();
    return Optional.empty();
  }

  private static Set<Integer> people() {
    try (var lines = Files.lines(Path.of("/etc/passwd"))) {
      return lines
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > 2 && fields[2].matches("\\d{1,9}"))
          .map(fields -> Integer.parseInt(fields[2]))
          .collect(Collectors.toSet());
    } catch (IOException e) {
      return Set.of();
    }
  }

  /** Words before a command that make it this user's: no program gives it more rights. */
  List<String> words() {
    return words(number);
  }

  static List<String> words(int number) {
    return List.of(
        "setpriv",
        "--reuid",
        "" + number,
        "--regid",
        "" + number,
        "--clear-groups",
        "--no-new-privs");
  }

  /** What the keeper of a command of this user locks as long as it is there. */
  Path keeperLock() {
    return lockFile.resolveSibling(number + ".keeper");
  }

  /** Ends every process of this user. */
  void endAll() {
    run(endsAll());
  }

  /** Ends what others left, unless the keeper of that is there; false where it is. */
  private boolean endLeftovers() {
    var command =
        new ArrayList<>(List.of("flock", "-n", "-o", "-E", "" + KEPT, keeperLock().toString()));
    command.addAll(endsAll());
    return run(command) != KEPT;
  }

  private List<String> endsAll() {
    var command = new ArrayList<>(words());
    command.addAll(List.of("--", "sh", "-c", "kill -KILL -1"));
    return command;
  }

  private static int run(List<String> command) {
    try {
      return new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new StartFailure(
          "No process of a test user can be ended: %s does not start.".formatted(command.get(0)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return KEPT;
    }
  }

  @Override
  public void close() throws IOException {
    synchronized (TestUser.class) {
      OURS.remove(number);
      lock.close();
    }
  }
}
