package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.simulation.check.SeedCheck;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SimulationCheckTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter progress = new StringWriter();

  @Test
  void says_how_many_worlds_hold_and_how_fast() {
    assertThat(check(false).run(1, 3, false)).isZero();

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
    check(true).run(1, 2, false);

    assertThat(progress.toString()).contains("2 of 2 seeds");
  }

  @Test
  void stops_at_the_first_world_that_breaks_or_names_all_that_do() {
    assertThat(lawless().run(1, 3, false)).isEqualTo(1);
    assertThat(out.toString())
        .contains("Seed 1 breaks the rules", "BROKEN")
        .doesNotContain("Seed 2");

    out.getBuffer().setLength(0);
    assertThat(lawless().run(1, 3, true)).isEqualTo(1);
    assertThat(out.toString())
        .contains("Seed 1 breaks ", "Seed 2 breaks ", "Seed 3 breaks ", "3 broken")
        .doesNotContain("BROKEN");
  }

  @Test
  void tells_the_story_of_one_seed() {
    assertThat(check(false).replay(1)).isZero();

    assertThat(out.toString()).contains("submit #").contains("main <- #").contains(" slots");
  }

  /** Of rules that take no event at all. */
  private SimulationCheck lawless() {
    var none =
        new SeedCheck(
            (event, before, now) -> {
              throw new IllegalStateException("lawless");
            });
    var told = new PrintWriter(out);
    return new SimulationCheck(none, told, told, false, System::nanoTime);
  }

  private SimulationCheck check(boolean atTerminal) {
    return new SimulationCheck(
        new PrintWriter(out), new PrintWriter(progress), atTerminal, System::nanoTime);
  }
}
