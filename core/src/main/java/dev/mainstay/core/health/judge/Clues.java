package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A history taken apart into what tells flakiness from regressions. What is older weighs less: half
 * after each half-life.
 */
final class Clues {
  /**
   * The probability that a pull request breaks a test, so that its failures there are its own
   * doing.
   */
  static final double BREAKS_IN_A_PULL_REQUEST = 0.01;

  /** The probability that the same code goes both ways in a healthy test. */
  static final double SPLITS_WHILE_HEALTHY = 1e-8;

  private final Instant now;
  private final Instant since;
  private final double halfLifeSeconds;

  /** Commits of stable branches in order. */
  final Map<String, List<CommitOutcome>> stable;

  private final Map<String, double[]> weights = new HashMap<>();

  /** Commits that went both ways, and not on a stable branch alone. */
  final List<SplitCommit> splits = new ArrayList<>();

  /** Failures on a branch that is not stable, without a pass on the same commit. */
  record Episode(String branch, int failures, Instant last) {}

  final List<Episode> episodes = new ArrayList<>();

  /** Passes that are told by the hour only, old ones counting less. */
  private double otherPasses;

  Clues(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    this.now = now;
    since = now.minus(rule.lookBack());
    halfLifeSeconds = Duration.ofDays(rule.halfLifeDays()).toSeconds();
    TestHistory recent = since(history);
    Crowd crowd = Crowd.of(recent);
    stable = CommitOutcome.byBranch(recent, crowd);
    stable.forEach(
        (branch, commits) ->
            weights.put(branch, commits.stream().mapToDouble(c -> weight(c.last())).toArray()));
    var crowded = new HashMap<String, Boolean>();
    recent.runs().stream()
        .filter(RecentRun::failed)
        .forEach(run -> crowded.merge(run.commit(), crowd.explains(run), Boolean::logicalAnd));
    Set<String> split = findSplits(recent, crowd, crowded);
    findEpisodes(recent, crowd, split);
    countOtherPasses(recent);
  }

  private TestHistory since(TestHistory history) {
    return new TestHistory(
        history.hours().stream().filter(hour -> hour.hour().isAfter(since)).toList(),
        history.splits().stream().filter(split -> split.provenAt().isAfter(since)).toList(),
        history.runs().stream().filter(run -> run.at().isAfter(since)).toList());
  }

  private Set<String> findSplits(TestHistory recent, Crowd crowd, Map<String, Boolean> crowded) {
    var names = new HashSet<String>();
    var onStable = new HashSet<String>();
    stable.values().stream()
        .flatMap(List::stream)
        .filter(commit -> commit.passes() > 0 && commit.failures() + commit.crowded() > 0)
        .forEach(commit -> onStable.add(commit.commit()));
    for (SplitCommit split : recent.splitsAfter(since)) {
      boolean explained = crowded.computeIfAbsent(split.commit(), commit -> crowd.explains(split));
      if (names.add(split.commit()) && !onStable.contains(split.commit()) && !explained) {
        splits.add(split);
      }
    }
    return names;
  }

  private void findEpisodes(TestHistory recent, Crowd crowd, Set<String> split) {
    var byBranch = new TreeMap<String, Episode>();
    for (RecentRun run : recent.runs()) {
      if (run.branchClass() != BranchClass.STABLE
          && run.failed()
          && !split.contains(run.commit())
          && !crowd.explains(run)) {
        byBranch.merge(
            run.branch(),
            new Episode(run.branch(), 1, run.at()),
            (a, b) ->
                new Episode(
                    a.branch, a.failures + b.failures, a.last.isAfter(b.last) ? a.last : b.last));
      }
    }
    episodes.addAll(byBranch.values());
  }

  /** Passes elsewhere, and those of stable branches from before the runs that are known. */
  private void countOtherPasses(TestHistory recent) {
    var known = new HashMap<String, Instant>();
    stable.forEach((branch, commits) -> known.put(branch, commits.getFirst().first()));
    // In one order, whatever the order they came in: sums of fractions depend on it.
    var inOrder =
        Comparator.comparing(BranchHour::hour)
            .thenComparing(BranchHour::branch)
            .thenComparingInt(BranchHour::passes);
    for (BranchHour hour : recent.hours().stream().sorted(inOrder).toList()) {
      Instant from = known.get(hour.branch());
      boolean told =
          hour.branchClass() == BranchClass.STABLE
              && from != null
              && hour.hour().plus(Duration.ofHours(1)).isAfter(from);
      if (!told) {
        otherPasses += weight(hour.hour()) * hour.passes();
      }
    }
  }

  double weight(Instant at) {
    double age = Math.max(0, Duration.between(at, now).toSeconds());
    return Math.exp(-age / halfLifeSeconds * Math.log(2));
  }

  /**
   * The likelihood of all clues under a rate of flakiness; the first of {@link FlakeRates} being
   * healthy.
   */
  double logLikelihood(int index) {
    double rate = FlakeRates.VALUES[index];
    double log = otherPasses * Math.log1p(-rate);
    for (var branch : stable.entrySet()) {
      double[] weight = weights.getOrDefault(branch.getKey(), new double[0]);
      log += Regimes.likeliest(branch.getValue(), rate, weight, new boolean[0]);
    }
    for (SplitCommit split : splits) {
      double flaky = Math.log(rate) + split.passes() * Math.log1p(-rate);
      log += weight(split.provenAt()) * Math.max(flaky, Math.log(SPLITS_WHILE_HEALTHY));
    }
    for (Episode episode : episodes) {
      double flaky = Math.pow(rate, episode.failures());
      double own = BREAKS_IN_A_PULL_REQUEST;
      log += weight(episode.last()) * Math.log((1 - own) * flaky + own);
    }
    return log;
  }

  double otherPasses() {
    return otherPasses;
  }
}
