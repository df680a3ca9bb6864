package dev.mainstay.core.simulation.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.core.simulation.check.invariant.Invariant;
import dev.mainstay.core.simulation.check.play.FaultRates;
import dev.mainstay.core.simulation.check.play.Flaws;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedCheckTest {
  private static final int SEEDS = 300;
  private final SeedCheck check = new SeedCheck(Engine::on);

  @Test
  void no_world_breaks_the_queue() {
    LongStream.rangeClosed(1, SEEDS)
        .mapToObj(check::check)
        .filter(v -> !v.holds())
        .findFirst()
        .ifPresent(v -> fail(Story.failure(v.seed(), check.shortest(v.failure().orElseThrow()))));
  }

  @Test
  void the_same_seed_tells_the_same_story() {
    assertThat(check.replay(7)).isEqualTo(check.replay(7)).isNotEmpty();
    assertThat(check.replay(7)).isNotEqualTo(check.replay(8));
  }

  @Test
  void a_failure_is_told_by_the_smallest_world_that_shows_it() {
    var spoilt = new SeedCheck(PlantedBug.ONE_SLOT_TOO_MANY);
    Failure failure =
        LongStream.rangeClosed(1, 100)
            .mapToObj(spoilt::check)
            .flatMap(v -> v.failure().stream())
            .findFirst()
            .orElseThrow();

    Failure shortest = spoilt.shortest(failure);

    assertThat(shortest.invariant()).isEqualTo(Invariant.SLOTS);
    assertThat(shortest.scenario().faults()).isEqualTo(FaultRates.NONE);
    assertThat(shortest.scenario().flaws()).isEqualTo(Flaws.NONE);
    int slots = shortest.scenario().settings().concurrency();
    assertThat(shortest.scenario().deeds()).hasSizeLessThanOrEqualTo(2 * (slots + 1));
    assertThat(shortest.trace()).hasSizeLessThan(failure.trace().size());
  }
}
