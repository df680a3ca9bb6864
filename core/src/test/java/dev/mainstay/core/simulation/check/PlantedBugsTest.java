package dev.mainstay.core.simulation.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that the checks bite: every bug is found, and for the right reason. */
class PlantedBugsTest {
  private static final int SEEDS = 300;

  static Stream<Planted> bugs() {
    return Stream.of(
            PlantedBug.values(),
            CornerBug.values(),
            GuessBug.values(),
            FlakeBug.values(),
            OvertakingBug.values())
        .flatMap(Stream::of);
  }

  @ParameterizedTest
  @MethodSource("bugs")
  void is_caught(Planted bug) {
    var check = new SeedCheck(bug);
    Optional<SeedResult> caught =
        LongStream.rangeClosed(1, SEEDS).mapToObj(check::check).filter(v -> !v.holds()).findFirst();
    assertThat(caught).as("%s within %d seeds", bug, SEEDS).isPresent();
    assertThat(caught.get().failure().orElseThrow().invariant())
        .as("%s with seed %d", bug, caught.get().seed())
        .isIn(bug.catchers());
  }
}
