package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SimulationCheckTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter progress = new StringWriter();

  @Test
  void says_how_many_worlds_hold_and_how_fast() {
    assertThat(check(false).run(1, 3)).isZero();

    assertThat(out.toString())
        .contains("3 seeds from 1 on")
        .contains("events per second")
        .contains("every invariant holds")
        .contains("reason: submitted ")
        .contains("Never visited: ")
        .contains("forge branch missing");
    assertThat(progress.toString()).isEmpty();
  }

  @Test
  void shows_progress_at_a_terminal_only() {
    check(true).run(1, 2);

    assertThat(progress.toString()).contains("2 of 2 seeds");
  }

  @Test
  void tells_the_story_of_one_seed() {
    assertThat(check(false).replay(1)).isZero();

    assertThat(out.toString()).contains("submit #").contains("main <- #").contains(" slots");
  }

  private SimulationCheck check(boolean atTerminal) {
    return new SimulationCheck(
        new PrintWriter(out), new PrintWriter(progress), atTerminal, System::nanoTime);
  }
}
