package dev.mainstay.server.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * All processes of a test, found by the mark in their environment, by the session that they are in
 * and by the process that started them: also those that went into the background. Only one that
 * does all three escapes: empties its environment, opens a session, and outlives its parent. Reads
 * {@code /proc}; where there is none, only the process group is ended.
 */
final class MarkedProcesses {
  private static final int ROUNDS = 50;

  private record Seen(long pid, long parent, long session) {}

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

  private static void awaitEnd(ProcessHandle process) {
    CompletableFuture<ProcessHandle> ended = process.onExit();
    ended.completeOnTimeout(process, 2, TimeUnit.SECONDS).join();
  }

  static List<ProcessHandle> find(String mark, long session) {
    List<Seen> all = all();
    Set<Long> ours = new HashSet<>();
    for (Seen process : all) {
      if ((session > 0 && process.session() == session) || isMarked(process.pid(), mark)) {
        ours.add(process.pid());
      }
    }
    while (all.stream().anyMatch(p -> ours.contains(p.parent()) && ours.add(p.pid()))) {
      // Until no child of one of them is left out.
    }
    ours.remove(ProcessHandle.current().pid());
    return ours.stream().flatMap(pid -> ProcessHandle.of(pid).stream()).toList();
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
