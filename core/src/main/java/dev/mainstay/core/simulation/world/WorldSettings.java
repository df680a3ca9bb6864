package dev.mainstay.core.simulation.world;

import dev.mainstay.core.simulation.world.Dice.Topic;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings a simulated world is drawn from. Rates are fractions from 0 to 1.
 *
 * @param changes how many changes arrive in all
 * @param ownFailureRate changes that fail on any base
 * @param conflictRate pairs that really conflict, among those whose targets meet
 * @param hiddenConflictRate pairs that really conflict although their targets do not meet
 * @param conflictWindowMinutes a pair further apart than this never conflicts: the later one was
 *     written on top of the earlier one
 * @param flakeRate builds that fail for no reason
 * @param authors who writes the changes, and how differently theirs fail
 */
public record WorldSettings(
    double arrivalsPerHour,
    int changes,
    BuildTime buildTime,
    double ownFailureRate,
    double conflictRate,
    double hiddenConflictRate,
    double conflictWindowMinutes,
    double flakeRate,
    TargetMix targets,
    Authors authors) {

  private static final double MILLIS_PER_MINUTE = 60_000;

  /** The same seed gives the same world, always. */
  public World world(long seed) {
    var dice = new Dice(seed);
    var changes = drawChanges(dice);
    return new World(
        changes,
        drawConflicts(dice, changes),
        (change, attempt) -> dice.strikes(flakeRate, Topic.FLAKE, change, attempt));
  }

  private List<SimulatedChange> drawChanges(Dice dice) {
    var drawn = new ArrayList<SimulatedChange>(changes);
    var targetDraw = targets.new Draw();
    double clock = 0;
    for (int id = 0; id < changes; id++) {
      double gap = -Math.log(1 - dice.roll(Topic.ARRIVAL, id, 0));
      clock += gap * 60 * MILLIS_PER_MINUTE / arrivalsPerHour;
      long arrival = Math.round(clock);
      drawn.add(
          new SimulatedChange(
              id,
              arrival,
              Math.max(1, Math.round(buildTime.minutes(dice, id) * MILLIS_PER_MINUTE)),
              dice.strikes(authors.rate(ownFailureRate, dice, id, arrival), Topic.BROKEN, id, 0),
              dice.strikes(targets.touchesAll(), Topic.TOUCHES_ALL, id, 0),
              targetDraw.of(dice, id),
              authors.origin(dice, id)));
    }
    return drawn;
  }

  private List<World.Pair> drawConflicts(Dice dice, List<SimulatedChange> drawn) {
    long window = Math.round(conflictWindowMinutes * MILLIS_PER_MINUTE);
    var pairs = new ArrayList<World.Pair>();
    int oldest = 0;
    for (SimulatedChange later : drawn) {
      while (drawn.get(oldest).arrival() < later.arrival() - window) {
        oldest++;
      }
      for (SimulatedChange earlier : drawn.subList(oldest, later.id())) {
        if (conflict(dice, earlier, later)) {
          pairs.add(new World.Pair(earlier.id(), later.id()));
        }
      }
    }
    return pairs;
  }

  private boolean conflict(Dice dice, SimulatedChange earlier, SimulatedChange later) {
    return later.meets(earlier)
        ? dice.strikes(conflictRate, Topic.CONFLICT, earlier.id(), later.id())
        : dice.strikes(hiddenConflictRate, Topic.HIDDEN_CONFLICT, earlier.id(), later.id());
  }
}
