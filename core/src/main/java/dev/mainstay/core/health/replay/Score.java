package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.replay.Replay.Change;
import dev.mainstay.core.health.replay.World.Regression;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How well a set of monitors did. A flag is a change from healthy to something else; it is right
 * when the test is flaky, or is broken on the stable branch or was in the day before.
 *
 * @param failedFlaky those flaky tests that failed for no reason at least once
 * @param foundFlaky those that were flagged when or after they first did
 * @param flakyAsFlaky those of them that were called flaky and not broken
 * @param healthy tests that are neither flaky nor ever broken on the stable branch
 * @param spared those of them that were never flagged
 * @param brokenAsBroken regressions that were called broken while they lasted
 * @param changes of status, of tests that were flagged at all
 */
public record Score(
    int flags,
    int rightFlags,
    int flaky,
    int failedFlaky,
    int foundFlaky,
    int flakyAsFlaky,
    int regressions,
    int foundRegressions,
    int brokenAsBroken,
    int healthy,
    int spared,
    int flaggedTests,
    int changes,
    List<Double> hoursToFlaky,
    List<Double> runsToFlaky,
    List<Double> failuresToFlaky,
    List<Double> hoursToBroken,
    List<Double> runsToBroken) {
  private static final double AFTERMATH_HOURS = 24;

  static Score of(WorldSettings settings, World world, Log log, List<Change> changes) {
    return new Tally(settings, world, log, changes).score();
  }

  public double precision() {
    return share(rightFlags, flags);
  }

  public double recall() {
    return share(foundFlaky, flaky);
  }

  public double recallOfFailed() {
    return share(foundFlaky, failedFlaky);
  }

  public double sparedShare() {
    return share(spared, healthy);
  }

  /** How many regressions were called broken while they lasted. */
  public double recallOfBroken() {
    return share(brokenAsBroken, regressions);
  }

  public double changesPerFlagged() {
    return (double) changes / Math.max(1, flaggedTests);
  }

  private static double share(int part, int whole) {
    return whole == 0 ? 1 : (double) part / whole;
  }

  /** Both together, as if they were one longer measurement. */
  public Score plus(Score other) {
    return new Score(
        flags + other.flags,
        rightFlags + other.rightFlags,
        flaky + other.flaky,
        failedFlaky + other.failedFlaky,
        foundFlaky + other.foundFlaky,
        flakyAsFlaky + other.flakyAsFlaky,
        regressions + other.regressions,
        foundRegressions + other.foundRegressions,
        brokenAsBroken + other.brokenAsBroken,
        healthy + other.healthy,
        spared + other.spared,
        flaggedTests + other.flaggedTests,
        changes + other.changes,
        both(hoursToFlaky, other.hoursToFlaky),
        both(runsToFlaky, other.runsToFlaky),
        both(failuresToFlaky, other.failuresToFlaky),
        both(hoursToBroken, other.hoursToBroken),
        both(runsToBroken, other.runsToBroken));
  }

  private static List<Double> both(List<Double> one, List<Double> other) {
    var all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  /** The middle one, or not a number where there is none. */
  public static double median(List<Double> values) {
    return values.isEmpty()
        ? Double.NaN
        : values.stream().sorted().toList().get((values.size() - 1) / 2);
  }

  private static final class Tally {
    private final WorldSettings settings;
    private final World world;
    private final Log log;
    private final List<Change> changes;
    private final Set<Integer> broken = new HashSet<>();

    Tally(WorldSettings settings, World world, Log log, List<Change> changes) {
      this.settings = settings;
      this.world = world;
      this.log = log;
      this.changes = changes;
      world.regressions.forEach(r -> r.tests().stream().forEach(broken::add));
    }

    Score score() {
      int flags = 0;
      int right = 0;
      var before = new HashMap<Integer, TestStatus>();
      var flagged = new HashSet<Integer>();
      for (Change change : changes) {
        TestStatus was = before.put(change.test(), change.status());
        if ((was == null || was == TestStatus.HEALTHY) && change.status() != TestStatus.HEALTHY) {
          flags++;
          right += isRight(change) ? 1 : 0;
          flagged.add(change.test());
        }
      }
      var score = new Found();
      for (int test = 0; test < settings.tests(); test++) {
        score.add(test);
      }
      world.regressions.forEach(score::add);
      return new Score(
          flags,
          right,
          score.flaky,
          score.failedFlaky,
          score.hoursToFlaky.size(),
          score.flakyAsFlaky,
          score.regressions,
          score.hoursToBroken.size(),
          score.brokenAsBroken,
          score.healthy,
          score.healthy - score.accused,
          flagged.size(),
          changes.size(),
          score.hoursToFlaky,
          score.runsToFlaky,
          score.failuresToFlaky,
          score.hoursToBroken,
          score.runsToBroken);
    }

    private boolean isRight(Change change) {
      return world.rates[change.test()] > 0
          || world.regressions.stream()
              .filter(r -> r.tests().get(change.test()))
              .anyMatch(r -> change.hour() >= r.from() && change.hour() < r.to() + AFTERMATH_HOURS);
    }

    /** The flag that was up when a test first flaked, or the first one after that. */
    private static Optional<Change> flagAfter(List<Change> changes, double first) {
      Optional<Change> up = Optional.empty();
      for (Change change : changes) {
        if (change.hour() >= first && up.isPresent()) {
          return up;
        }
        up = change.status() == TestStatus.HEALTHY ? Optional.empty() : Optional.of(change);
      }
      return up;
    }

    private final class Found {
      private int flaky;
      private int failedFlaky;
      private int flakyAsFlaky;
      private int regressions;
      private int brokenAsBroken;
      private int healthy;
      private int accused;
      private final List<Double> hoursToFlaky = new ArrayList<>();
      private final List<Double> runsToFlaky = new ArrayList<>();
      private final List<Double> failuresToFlaky = new ArrayList<>();
      private final List<Double> hoursToBroken = new ArrayList<>();
      private final List<Double> runsToBroken = new ArrayList<>();

      /** Flaky tests that are also broken at times are left out: what is found is not clear. */
      void add(int test) {
        List<Change> mine = changes.stream().filter(c -> c.test() == test).toList();
        if (broken.contains(test)) {
          return;
        }
        if (world.rates[test] == 0) {
          healthy++;
          accused += mine.isEmpty() ? 0 : 1;
          return;
        }
        flaky++;
        failedFlaky += log.firstFlake(test).isPresent() ? 1 : 0;
        log.firstFlake(test).flatMap(first -> flagAfter(mine, first)).ifPresent(this::addFlaky);
      }

      private void addFlaky(Change flag) {
        hoursToFlaky.add(flag.hour());
        runsToFlaky.add((double) flag.uploads());
        failuresToFlaky.add((double) flag.failures());
        flakyAsFlaky += flag.status() == TestStatus.FLAKY ? 1 : 0;
      }

      void add(Regression regression) {
        for (int test : regression.tests().stream().toArray()) {
          if (world.rates[test] == 0) {
            regressions++;
            List<Change> flags =
                changes.stream()
                    .filter(c -> c.test() == test && c.status() != TestStatus.HEALTHY)
                    .filter(c -> regression.isActive(c.hour()))
                    .toList();
            if (!flags.isEmpty()) {
              hoursToBroken.add(flags.getFirst().hour() - regression.from());
              runsToBroken.add(
                  (double) log.uploadsBetween(regression.from(), flags.getFirst().hour()));
            }
            brokenAsBroken += flags.stream().anyMatch(c -> c.status() == TestStatus.BROKEN) ? 1 : 0;
          }
        }
      }
    }
  }
}
