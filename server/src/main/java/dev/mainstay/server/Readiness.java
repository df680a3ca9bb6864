package dev.mainstay.server;

import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.DiskSpace;
import dev.mainstay.server.platform.Loop;
import java.util.List;
import java.util.Optional;

/** Whether this node can do what it is there for. Anybody may ask, so it looks twice a second. */
final class Readiness {
  private static final long LOOK_NANOS = 500_000_000;

  /** What is wrong: a word for programs, and a sentence for people. */
  record Fault(String code, String sentence) {}

  private final Database database;
  private final DiskSpace disks;
  private volatile boolean leaving;
  private Optional<Fault> found = Optional.empty();
  private long lookedAt = System.nanoTime() - LOOK_NANOS;

  Readiness(Database database, DiskSpace disks) {
    this.database = database;
    this.disks = disks;
  }

  /** Whoever asks from now on is sent to another node. */
  void leave() {
    leaving = true;
  }

  Optional<Fault> fault() {
    return leaving
        ? Optional.of(new Fault("leaving", "This node is being stopped: ask another one."))
        : lastFound();
  }

  private synchronized Optional<Fault> lastFound() {
    if (System.nanoTime() - lookedAt >= LOOK_NANOS) {
      found = look();
      lookedAt = System.nanoTime();
    }
    return found;
  }

  private Optional<Fault> look() {
    if (!database.isReachable()) {
      return Optional.of(new Fault("not_ready", "The database does not answer."));
    }
    if (database.isFull()) {
      return Optional.of(
          new Fault("disk_full", "The database has no room left: make some on its disk."));
    }
    List<String> ended = Loop.ended();
    if (!ended.isEmpty()) {
      return Optional.of(
          new Fault(
              "not_ready",
              "Work in the background has ended (%s): start this node again."
                  .formatted(String.join(", ", ended))));
    }
    return disks
        .full()
        .map(
            disk ->
                new Fault(
                    "disk_full",
                    "Less than %,d MiB are free on the disk for %s files: make room there."
                        .formatted(disks.leastBytes() / (1024 * 1024), disk)));
  }
}
