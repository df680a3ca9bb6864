package dev.mainstay.core.simulation.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that the checks bite: every bug is found, and for the right reason. */
class PlantedBugsTest {
  private static final int SEEDS = 250;

  @ParameterizedTest
  @EnumSource(PlantedBug.class)
  void is_caught(PlantedBug bug) {
    var check = new SeedCheck(bug);
    Optional<SeedResult> caught =
        LongStream.rangeClosed(1, SEEDS).mapToObj(check::check).filter(v -> !v.holds()).findFirst();
    assertThat(caught).as("%s within %d seeds", bug, SEEDS).isPresent();
    assertThat(caught.get().failure().orElseThrow().invariant())
        .as("%s with seed %d", bug, caught.get().seed())
        .isIn(bug.catchers());
  }
}
