package dev.mainstay.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Logs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short {@code bench/crash}: real processes, real kill -9, real git, real PostgreSQL. */
class CrashTest {
  static {
    Logs.configure(Logs.Format.TEXT, "WARN"); // Once, before two runs do it at the same moment.
  }

  static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(12);

  /** Nodes are stopped for longer than a lease, and drained afterwards. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void nodes_that_are_killed_and_stopped_lose_nothing_and_land_nothing_twice() throws Exception {
    crash(new CrashRun.Plan(6, 2, LONGER_THAN_A_LEASE, System.nanoTime(), false));
  }

  static void crash(CrashRun.Plan plan) throws Exception {
    Path directory = Workplace.create();
    assertThat(CrashRun.faults(plan, directory, System.out))
        .as("%s in %s", plan, directory)
        .isEmpty();
    Workplace.delete(directory);
  }
}
