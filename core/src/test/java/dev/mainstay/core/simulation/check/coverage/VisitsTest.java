package dev.mainstay.core.simulation.check.coverage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.SeedCheck;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class VisitsTest {
  private final Visits visits = new Visits();

  @Test
  void a_check_that_did_nothing_names_every_corner() {
    assertThat(visits.never()).isEqualTo(Corners.all());
    assertThat(visits.told()).contains("  landing: none");
  }

  @Test
  void counts_what_was_visited_and_names_what_never_was() {
    var check = new SeedCheck(Engine::on);
    LongStream.rangeClosed(1, 40).forEach(seed -> visits.add(check.check(seed).visits()));

    var whole = new Corner("landing", "whole");
    var missing = new Corner("forge", "branch missing");
    assertThat(visits.of(whole)).isGreaterThan(40);
    assertThat(visits.never()).contains(missing).doesNotContain(whole);
    assertThat(visits.told())
        .anyMatch(line -> line.startsWith("  landing: whole %d".formatted(visits.of(whole))));
    assertThat(visits.told().getLast())
        .startsWith("Never visited: ")
        .contains("forge branch missing")
        .doesNotContain("landing whole");
  }
}
