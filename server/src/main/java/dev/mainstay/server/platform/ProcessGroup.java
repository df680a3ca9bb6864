package dev.mainstay.server.platform;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Ends processes together with what they started, at a time limit or before. */
public final class ProcessGroup {
  private static final ScheduledExecutorService WATCH =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("process-limits").factory());

  private static final int ROUNDS = 10;

  private ProcessGroup() {}

  /** A time limit, with the action that runs when it is over, unless it is lifted before. */
  public record Limit(ScheduledFuture<?> action) {
    public void lift() {
      action.cancel(false);
    }
  }

  public static Limit after(Duration time, Runnable action) {
    return new Limit(WATCH.schedule(action, time.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * Ends the process and all that it started, which need not be a session: sessions cost git a
   * fifth of its speed where the kernel schedules by session. Does nothing where it has ended.
   */
  public static void kill(Process process) {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> children = process.descendants().toList();
    process.destroyForcibly();
    for (int round = 0; round < ROUNDS && !children.isEmpty(); round++) {
      List<ProcessHandle> more = children.stream().flatMap(ProcessHandle::descendants).toList();
      children.forEach(ProcessHandle::destroyForcibly);
      children = more;
    }
  }

  /** Sends a signal to a process group, whose number is that of the process which leads it. */
  public static void signal(String name, long group) {
    try {
      new ProcessBuilder("sh", "-c", "kill -" + name + " -" + group)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new IllegalStateException("No process can be ended: sh does not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
