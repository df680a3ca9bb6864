package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.judge.Clues.Episode;
import dev.mainstay.core.health.judge.Clues.Span;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The readings of a history: which commits were broken, and so which failures had no reason in the
 * code. A row of failures is a breakage where a test fails rarely, and nothing special where it
 * fails every second time. Each reading counts the runs it leaves to flakiness; the rate is what
 * all of them say, each weighing as much as it explains of the stable branches, whatever the rate.
 */
final class Readings {
  /** Every second rate is asked for its reading: those between give no other one. */
  private static final int STEP = 2;

  /** Readings that weigh less than the best by this factor are left out, as a logarithm. */
  private static final double NEGLIGIBLE = Math.log(1e-4);

  private static final double PRECISE = 1e-6;

  /**
   * One reading.
   *
   * @param weight as a logarithm: the probability of the outcomes under it, over all rates
   */
  private record Reading(double weight, RateCount counted, RateDistribution rate) {}

  /** What was broken, and how many failures are left: readings alike in both are one. */
  private record Course(List<BitSet> broken, long failures) {}

  private final List<Reading> all;
  private final Reading best;
  private final double sum;

  private Readings(List<Reading> readings) {
    Reading first = readings.getFirst();
    for (Reading reading : readings) {
      first = reading.weight > first.weight ? reading : first;
    }
    best = first;
    all = readings.stream().filter(r -> r.weight - best.weight > NEGLIGIBLE).toList();
    sum = all.stream().mapToDouble(this::share).sum();
  }

  /** The readings; whose doing failures of pull requests were is told by the likeliest rate. */
  static Readings of(Clues clues, double likeliestRate) {
    var readings = new ArrayList<Reading>();
    var seen = new HashSet<Course>();
    // Once nothing is broken and no crowd explains anything, larger rates tell nothing new.
    boolean ended = false;
    for (int i = 0; i < FlakeRates.VALUES.length && !ended; i += STEP) {
      ended = add(clues, FlakeRates.VALUES[i], likeliestRate, readings, seen);
    }
    return new Readings(readings);
  }

  /** Adds the reading of a rate; true where it leaves every failure to flakiness. */
  private static boolean add(
      Clues clues, double rate, double likeliestRate, List<Reading> readings, Set<Course> seen) {
    var broken = new ArrayList<BitSet>();
    var spans = new ArrayList<Span>();
    var counted = new RateCount();
    double weight = 0;
    double chances = 0;
    double passes = 0;
    boolean all = true;
    for (int line = 0; line < clues.plainTracks.size(); line++) {
      Track track = clues.plainTracks.get(line);
      double[] weights = clues.tracks.get(line).weights;
      boolean[] course = new boolean[track.size()];
      weight += Regimes.likeliest(track, rate, course);
      var brokenHere = new BitSet();
      for (int i = 0; i < course.length; i++) {
        CommitOutcome commit = track.commits.get(i);
        if (course[i]) {
          brokenHere.set(i);
          all = false;
        } else {
          all &= explained(commit, rate) == commit.allFailures();
          chances += chances(commit, rate);
          passes += commit.passes();
          counted.add(weights[i], explained(commit, rate), commit.passes());
        }
      }
      broken.add(brokenHere);
      spans.addAll(Span.broken(track.commits, course));
    }
    if (seen.add(new Course(broken, counted.failures()))) {
      // The one rate by which the course was found gives way to all of them.
      weight -= chances * Math.log(rate) + passes * Math.log1p(-rate);
      weight += RateDistribution.logProbability(chances, passes);
      RateCount told =
          counted.isEnough() ? counted : counted.and(elsewhere(clues, likeliestRate, spans));
      readings.add(new Reading(weight, told, told.rate()));
    }
    return all;
  }

  /** The failures that flakiness of this rate explains better than the crowd they were in. */
  private static int explained(CommitOutcome commit, double rate) {
    return commit.failures()
        + (rate > Regimes.FAILS_IN_A_GROUP ? commit.grouped() : 0)
        + (rate > Regimes.FAILS_IN_A_MASS ? commit.crowded() : 0);
  }

  private static int chances(CommitOutcome commit, double rate) {
    return commit.chances()
        + (rate > Regimes.FAILS_IN_A_GROUP ? commit.groupChances() : 0)
        + (rate > Regimes.FAILS_IN_A_MASS && commit.crowded() > 0 ? 1 : 0);
  }

  /** Of a pull request's failures as many as the rate explains better than itself. */
  private static RateCount elsewhere(Clues clues, double rate, List<Span> broken) {
    var count = new RateCount();
    clues.splits.forEach(split -> count.add(clues.weight(split.provenAt()), split.failures(), 0));
    for (Episode episode : clues.episodes) {
      if (!Clues.isInherited(episode, broken)) {
        double flaky = Math.pow(rate, episode.failures());
        double share = flaky / (flaky + Clues.BREAKS_IN_A_PULL_REQUEST);
        count.add(clues.weight(episode.last()) * share, episode.failures(), 0);
      }
    }
    clues.passes.stream()
        .filter(hour -> !hour.told())
        .forEach(hour -> count.add(hour.weight(), 0, hour.passes()));
    return count;
  }

  private double share(Reading reading) {
    return Math.exp(reading.weight - best.weight);
  }

  /** The runs that the likeliest reading counts. */
  RateCount counted() {
    return best.counted;
  }

  double mean() {
    double mean = 0;
    for (Reading reading : all) {
      mean += share(reading) * reading.rate.mean();
    }
    return mean / sum;
  }

  /** The rate below which it lies with probability {@code q}. */
  double quantile(double q) {
    double low = 0;
    double high = RateDistribution.MOST;
    while (high - low > PRECISE * high && high > Double.MIN_NORMAL) {
      double middle = (low + high) / 2;
      double below = 0;
      for (Reading reading : all) {
        below += share(reading) * reading.rate.below(middle);
      }
      if (below < q * sum) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }
}
