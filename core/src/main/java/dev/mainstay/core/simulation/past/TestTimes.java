package dev.mainstay.core.simulation.past;

import dev.mainstay.core.simulation.world.Dice;
import dev.mainstay.core.simulation.world.Dice.Topic;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * How long each change was tested: by its own last run that ended as the change did, rather one
 * that tested nothing else. Where there is no such run, a time is drawn from those of the others.
 */
final class TestTimes {
  private final List<Optional<Long>> own;
  private final List<Long> seen;
  private final Dice dice;

  TestTimes(Cast cast, List<Seen> runs, Dice dice) {
    this.dice = dice;
    this.own = IntStream.range(0, cast.size()).mapToObj(id -> own(id, cast, runs)).toList();
    this.seen = own.stream().flatMap(Optional::stream).sorted().toList();
  }

  private static Optional<Long> own(int id, Cast cast, List<Seen> runs) {
    return runs.stream()
        .filter(r -> r.own().get(id) && r.run().isFinished() && r.run().built())
        .max(
            Comparator.comparing((Seen r) -> r.passed() == cast.landed(id))
                .thenComparing(r -> r.own().cardinality() == 1)
                .thenComparing(r -> r.run().began()))
        .map(r -> Math.max(1, r.run().millis()));
  }

  boolean isKnown(int id) {
    return own.get(id).isPresent();
  }

  /** No run is known at all. */
  boolean isEmpty() {
    return seen.isEmpty();
  }

  long millis(int id) {
    return own.get(id)
        .orElseGet(() -> seen.get((int) (dice.roll(Topic.BUILD_TIME, id, 0) * seen.size())));
  }
}
