package dev.mainstay.bench.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.bench.crash.CrashRun.Plan;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A short run of {@code bench/crash}. */
class CrashRunTest {
  @Test
  void nothing_is_lost_and_nothing_lands_twice_when_nodes_are_killed() throws Exception {
    Path directory = Workplace.create();

    assertThat(CrashRun.faults(new Plan(6, 2, 7), directory, System.out)).isEmpty();

    Workplace.delete(directory);
  }
}
