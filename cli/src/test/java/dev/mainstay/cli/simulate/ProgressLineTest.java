package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.simulation.policy.Policies;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
  private final StringWriter err = new StringWriter();
  private final AtomicLong clock = new AtomicLong();

  private ProgressLine line(boolean terminal) {
    return new ProgressLine(new PrintWriter(err), terminal, 8, clock::get);
  }

  @Test
  void a_long_run_shows_one_line_and_takes_it_away() {
    ProgressLine line = line(true);
    line.ran(Policies.ORACLE, 1);
    assertThat(err.toString()).isEmpty();

    clock.set(2_500_000_000L);
    line.ran(Policies.ORACLE, 2);
    assertThat(err.toString()).isEqualTo("\r\u001b[K2 of 8 runs, last: oracle");
    line.clear();
    assertThat(err.toString()).endsWith("\r\u001b[K");
    assertThat(line.seconds()).isEqualTo(2.5);
  }

  @Test
  void without_a_terminal_there_is_no_line() {
    ProgressLine line = line(false);
    clock.set(2_500_000_000L);
    line.ran(Policies.ORACLE, 1);
    line.clear();

    assertThat(err.toString()).isEmpty();
  }
}
