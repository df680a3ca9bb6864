package dev.mainstay.server.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * All processes of a test, found by the mark in their environment, by the session that they are in
 * and by the process that started them: also those that went into the background. Only one that
 * does all three escapes: empties its environment, opens a session, and outlives its parent; and
 * none where the test has a user of its own. Reads {@code /proc}; where there is none, only the
 * process group is ended.
 */
final class MarkedProcesses {
  private static final int ROUNDS = 50;
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final Duration LOOK_EVERY = Duration.ofMillis(2);

  private record Seen(long pid, long parent, long group, long session) {}

  private MarkedProcesses() {}

  /** Ends the processes of a test, and those that they start meanwhile. */
  static void kill(String mark, long session) {
    for (int round = 0; round < ROUNDS; round++) {
      List<ProcessHandle> found = find(mark, session);
      if (found.isEmpty()) {
        return;
      }
      found.forEach(ProcessHandle::destroyForcibly);
      found.forEach(MarkedProcesses::awaitEnd);
    }
  }

  /** Ends the processes of a test that has a user of its own, wherever they are. */
  static void kill(String mark, long session, Optional<TestUser> user) {
    user.ifPresent(TestUser::endAll);
    kill(mark, session);
  }

  /** The groups of processes below one, its own left out. */
  static Set<Long> groupsBelow(long pid) {
    List<Seen> all = all();
    Set<Long> below = new HashSet<>(Set.of(pid));
    withChildren(all, below);
    return all.stream()
        .filter(p -> below.contains(p.pid()) && p.group() != pid)
        .map(Seen::group)
        .collect(Collectors.toSet());
  }

  /**
   * Waits for the end of a process, not for ever. The Java machine tells of ends and of timeouts by
   * a pool that has one thread on two processors, and blocks it until the output of a process has
   * ended: whoever waits for that pool before all who hold the output are gone waits for ever.
   */
  static void awaitEnd(ProcessHandle process) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    boolean interrupted = false;
    while (process.isAlive() && System.nanoTime() - until < 0) {
      LockSupport.parkNanos(LOOK_EVERY.toNanos());
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static List<ProcessHandle> find(String mark, long session) {
    List<Seen> all = all();
    Set<Long> ours = new HashSet<>();
    for (Seen process : all) {
      if ((session > 0 && process.session() == session) || isMarked(process.pid(), mark)) {
        ours.add(process.pid());
      }
    }
    withChildren(all, ours);
    ours.remove(ProcessHandle.current().pid());
    return ours.stream().flatMap(pid -> ProcessHandle.of(pid).stream()).toList();
  }

  private static void withChildren(List<Seen> all, Set<Long> found) {
    while (all.stream().anyMatch(p -> found.contains(p.parent()) && found.add(p.pid()))) {
      // Until no child of one of them is left out.
    }
  }

  private static List<Seen> all() {
    var result = new ArrayList<Seen>();
    try (var folders = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path folder : folders) {
        read(folder, result);
      }
    } catch (IOException e) {
      return List.of();
    }
    return result;
  }

  private static void read(Path folder, List<Seen> result) {
    try {
      String stat = Files.readString(folder.resolve("stat"), StandardCharsets.ISO_8859_1);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      boolean ended = fields[0].equals("Z") || fields[0].equals("X");
      if (!ended) {
        result.add(
            new Seen(
                Long.parseLong(folder.getFileName().toString()),
                Long.parseLong(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3])));
      }
    } catch (IOException e) {
      // It has ended.
    }
  }

  private static boolean isMarked(long pid, String mark) {
    try {
      byte[] environment = Files.readAllBytes(Path.of("/proc/" + pid + "/environ"));
      return new String(environment, StandardCharsets.ISO_8859_1).contains(mark);
    } catch (IOException e) {
      return false;
    }
  }
}
