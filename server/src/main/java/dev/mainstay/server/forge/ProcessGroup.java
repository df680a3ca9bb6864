package dev.mainstay.server.forge;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** A process that leads a session of its own, so that it can be ended with all it started. */
final class ProcessGroup {
  private static final ScheduledExecutorService WATCH =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("process-limits").factory());

  private ProcessGroup() {}

  /** The command as it is to be started; it becomes a session leader without another process. */
  static List<String> leading(List<String> command) {
    var whole = new ArrayList<String>(command.size() + 1);
    whole.add("setsid");
    whole.addAll(command);
    return whole;
  }

  /** What happens when a time limit is over, unless it is lifted before. */
  record Limit(ScheduledFuture<?> action) {
    void lift() {
      action.cancel(false);
    }
  }

  static Limit after(Duration time, Runnable action) {
    return new Limit(WATCH.schedule(action, time.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Ends the process and its group; does nothing where it ended before. */
  static void kill(Process process) {
    if (!process.isAlive()) {
      return;
    }
    List<ProcessHandle> children = process.descendants().toList();
    signal("KILL", process.pid());
    children.forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  static void signal(String name, long group) {
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
