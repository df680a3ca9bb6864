package dev.mainstay.bench.crash;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A short {@code bench/crash github}. */
class CrashAtHostTest {
  /** No head stays rewritten, and no test pull request open. */
  @Test
  @Timeout(value = 30, unit = TimeUnit.MINUTES)
  void at_a_host_they_also_leave_everything_as_its_author_left_it() throws Exception {
    CrashTest.crash(
        new CrashRun.Plan(4, 2, CrashTest.LONGER_THAN_A_LEASE, System.nanoTime(), true));
  }
}
