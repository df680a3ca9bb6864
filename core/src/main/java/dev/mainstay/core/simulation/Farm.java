package dev.mainstay.core.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/** The CI slots: first asked, first served; an aborted build frees its slot at once. */
final class Farm {
  private final int slots;
  private final Deque<Build> queued = new ArrayDeque<>();
  private int running;
  private long started;
  private long busyMillis;

  Farm(int slots) {
    this.slots = slots;
  }

  int free() {
    return slots - running - queued.size();
  }

  void ask(Build build) {
    queued.add(build);
  }

  /** Starts what fits; the caller books the end of each started build. */
  void startWhatFits(long now, Consumer<Build> onStart) {
    while (running < slots && !queued.isEmpty()) {
      Build build = queued.removeFirst();
      build.state = Build.State.RUNNING;
      build.startedAt = now;
      running++;
      started++;
      onStart.accept(build);
    }
  }

  void finish(Build build, long now) {
    leave(build, now, Build.State.FINISHED);
  }

  void abort(Build build, long now) {
    if (build.state == Build.State.QUEUED) {
      queued.remove(build);
      build.state = Build.State.ABORTED;
    } else if (build.state == Build.State.RUNNING) {
      leave(build, now, Build.State.ABORTED);
    }
  }

  private void leave(Build build, long now, Build.State end) {
    build.state = end;
    running--;
    busyMillis += now - build.startedAt;
  }

  long started() {
    return started;
  }

  long busyMillis() {
    return busyMillis;
  }
}
