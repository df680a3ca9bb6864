package dev.mainstay.core.simulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import dev.mainstay.core.simulation.world.World;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PublishedExperimentTest {

  @Test
  void the_share_of_changes_that_meet_one_in_flight_spans_the_published_range() {
    var eightHours = new PublishedExperiment(List.of(), List.of(), 8, List.of());

    assertThat(meeting(eightHours, 100)).isCloseTo(0.30, within(0.05));
    assertThat(meeting(eightHours, 500)).isCloseTo(0.72, within(0.06));
  }

  private static double meeting(PublishedExperiment experiment, int rate) {
    World world = experiment.world(rate).world(1);
    return world.shareMeetingSomethingInFlight();
  }

  @Test
  void every_cell_has_every_policy_and_the_order_of_the_published_result() {
    var small = new PublishedExperiment(List.of(100), List.of(60, 100), 0.5, List.of(1L));
    var ran = new AtomicInteger();

    List<Cell> cells = small.run((contender, seed) -> ran.incrementAndGet());

    assertThat(ran).hasValue(small.runs());
    assertThat(cells).extracting(Cell::slots).containsExactly(60, 100);
    for (Cell cell : cells) {
      assertThat(ratio(cell, "serial")).isGreaterThan(ratio(cell, "zuul"));
      assertThat(ratio(cell, "zuul")).isGreaterThan(ratio(cell, "mainstay"));
      assertThat(ratio(cell, "mainstay")).isGreaterThanOrEqualTo(1);
    }
  }

  private static double ratio(Cell cell, String policy) {
    return cell.result().rows().stream()
        .filter(row -> row.label().equals(policy))
        .mapToDouble(row -> row.ratio().p50())
        .findFirst()
        .orElseThrow();
  }
}
