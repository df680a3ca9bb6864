package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.simulation.Decision;
import dev.mainstay.core.simulation.PolicyOutcome;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.world.Dice;
import dev.mainstay.core.simulation.world.Dice.Topic;
import dev.mainstay.core.simulation.world.SimulatedChange;
import dev.mainstay.core.simulation.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The world that a queue has lived in, and how it fared. The same past and seed give the same
 * world. Attempts beyond those that were seen flake as often as those did.
 *
 * @param asItWas what came of the very same changes; how long main was red is not known
 */
public record PastWorld(World world, Score asItWas, Told told) {
  /**
   * How much of it is known.
   *
   * @param guessed changes of which something is a guess: why they failed, or how long their tests
   *     take
   * @param leftOut how many submissions take no part, by the reason
   * @param failedTogether pairs that fail only together
   * @param testTimesDrawn changes of which no own run is known
   * @param targetsKnown changes whose impacted targets are known; the others touch everything
   * @param conflictRate pairs that fail together, of those that met in the queue
   */
  public record Told(
      int changes,
      int guessed,
      Map<String, Integer> leftOut,
      int failedAlone,
      int failedTogether,
      int flakes,
      double flakeRate,
      int testTimesDrawn,
      int targetsKnown,
      double conflictRate) {
    public Told {
      leftOut = Map.copyOf(leftOut);
    }

    public int known() {
      return changes - guessed;
    }

    public double ownFailureRate() {
      return changes == 0 ? 0 : (double) failedAlone / changes;
    }
  }

  /** Nothing takes part where no test run is known. */
  public static PastWorld of(Past past, long seed) {
    var cast = new Cast(past.changes());
    List<Seen> runs = past.runs().stream().map(run -> Seen.of(run, cast)).toList();
    var dice = new Dice(seed);
    var times = new TestTimes(cast, runs, dice);
    return times.isEmpty() ? empty(cast) : new Making(cast, runs, dice, times).made();
  }

  private static PastWorld empty(Cast cast) {
    return new PastWorld(
        new World(List.of(), List.of(), World.Flakes.NEVER),
        Score.of(List.of()),
        new Told(0, 0, cast.leftOut(), 0, 0, 0, 0, 0, 0, 0));
  }

  private record Making(Cast cast, List<Seen> runs, Dice dice, TestTimes times, Causes causes) {
    Making(Cast cast, List<Seen> runs, Dice dice, TestTimes times) {
      this(cast, runs, dice, times, new Causes(cast, runs));
    }

    PastWorld made() {
      double flakeRate = causes.flakeRate();
      var world =
          new World(
              changes(),
              causes.pairs(),
              (change, attempt) -> {
                List<Boolean> seen = causes.attempts(change);
                return attempt < seen.size()
                    ? seen.get(attempt)
                    : dice.strikes(flakeRate, Topic.FLAKE, change, attempt);
              });
      return new PastWorld(world, asItWas(world), told(world));
    }

    private List<SimulatedChange> changes() {
      var names = new HashMap<String, Integer>();
      Instant begin = cast.member(0).arrived().orElseThrow();
      return IntStream.range(0, cast.size()).mapToObj(id -> change(id, begin, names)).toList();
    }

    private SimulatedChange change(int id, Instant begin, Map<String, Integer> names) {
      PastChange member = cast.member(id);
      ImpactedTargets targets = member.targets().orElse(ImpactedTargets.ALL);
      return new SimulatedChange(
          id,
          Duration.between(begin, member.arrived().orElseThrow()).toMillis(),
          times.millis(id),
          causes.isBroken(id),
          targets.all(),
          targets.names().stream()
              .map(name -> names.computeIfAbsent(name, n -> names.size()))
              .sorted()
              .toList(),
          member.origin());
    }

    private Score asItWas(World world) {
      Instant begin = cast.member(0).arrived().orElseThrow();
      var decisions = new ArrayList<Decision>();
      for (int id = 0; id < cast.size(); id++) {
        PastChange member = cast.member(id);
        long arrival = world.change(id).arrival();
        long at = Math.max(arrival, Duration.between(begin, member.ended()).toMillis());
        boolean falsely = !member.landed() && !world.change(id).broken() && conflictsNot(id, world);
        decisions.add(new Decision(id, arrival, at, member.landed(), falsely));
      }
      decisions.sort(Comparator.comparingLong(Decision::at));
      List<PastRun> built =
          runs.stream().filter(r -> !r.own().isEmpty() && r.run().built()).map(Seen::run).toList();
      long busy = built.stream().mapToLong(PastRun::millis).sum();
      long span = decisions.getLast().at();
      return Score.of(
          List.of(new PolicyOutcome(decisions, built.size(), built.size(), busy, span, 0, 0)));
    }

    private boolean conflictsNot(int id, World world) {
      return !world.conflictsWithAny(id, cast.landedBefore(cast.member(id).ended()));
    }

    private Told told(World world) {
      int size = cast.size();
      int drawn = (int) IntStream.range(0, size).filter(id -> !times.isKnown(id)).count();
      int guessed =
          (int)
              IntStream.range(0, size)
                  .filter(id -> causes.isGuessed(id) || !times.isKnown(id))
                  .count();
      int meetings = meetings(world);
      return new Told(
          size,
          guessed,
          cast.leftOut(),
          causes.brokenAlone(),
          causes.pairs().size(),
          causes.flakes(),
          causes.flakeRate(),
          drawn,
          (int)
              cast.members().stream().map(PastChange::targets).filter(Optional::isPresent).count(),
          meetings == 0 ? 0 : Math.min(1, (double) causes.pairs().size() / meetings));
    }

    /** Pairs whose targets meet and that were in the queue at the same time. */
    private int meetings(World world) {
      int meetings = 0;
      var open = new ArrayList<Integer>();
      for (int id = 0; id < cast.size(); id++) {
        Instant now = cast.member(id).arrived().orElseThrow();
        open.removeIf(other -> !cast.member(other).ended().isAfter(now));
        SimulatedChange change = world.change(id);
        meetings += (int) open.stream().filter(o -> world.change(o).meets(change)).count();
        open.add(id);
      }
      return meetings;
    }
  }
}
