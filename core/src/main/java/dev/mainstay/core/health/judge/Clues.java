package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.judge.CommitOutcome.Line;
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
import java.util.TreeSet;

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

  /** Commits of stable branches in order, each job by itself. */
  final Map<Line, List<CommitOutcome>> stable;

  private final Map<Line, double[]> weights = new HashMap<>();

  /** Commits that went both ways, and not on a stable branch alone. */
  final List<SplitCommit> splits = new ArrayList<>();

  /** Failures of the same pull requests, without a pass of the same job on the same commit. */
  record Episode(int failures, Instant last) {
    private Episode and(Episode other) {
      return new Episode(failures + other.failures, last.isAfter(other.last) ? last : other.last);
    }
  }

  final List<Episode> episodes = new ArrayList<>();

  /** Passes that are told by the hour only, old ones counting less. */
  private double otherPasses;

  Clues(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    this.now = now;
    since = now.minus(rule.lookBack());
    halfLifeSeconds = Duration.ofDays(rule.halfLifeDays()).toSeconds();
    TestHistory recent = since(history);
    Crowd crowd = Crowd.of(recent);
    stable = CommitOutcome.byLine(recent, crowd);
    stable.forEach(
        (line, commits) ->
            weights.put(line, commits.stream().mapToDouble(c -> weight(c.last())).toArray()));
    var crowded = new HashMap<Build, Boolean>();
    recent.runs().stream()
        .filter(RecentRun::failed)
        .forEach(run -> crowded.merge(Build.of(run), crowd.explains(run), Boolean::logicalAnd));
    Set<Build> split = findSplits(recent, crowd, crowded);
    findEpisodes(recent, crowd, split);
    countOtherPasses(recent);
  }

  private TestHistory since(TestHistory history) {
    return new TestHistory(
        history.hours().stream().filter(hour -> hour.hour().isAfter(since)).toList(),
        history.splits().stream().filter(split -> split.provenAt().isAfter(since)).toList(),
        history.runs().stream().filter(run -> run.at().isAfter(since)).toList());
  }

  private Set<Build> findSplits(TestHistory recent, Crowd crowd, Map<Build, Boolean> crowded) {
    var builds = new HashSet<Build>();
    var onStable = new HashSet<Build>();
    stable.values().stream()
        .flatMap(List::stream)
        .filter(commit -> commit.passes() > 0 && commit.failures() + commit.crowded() > 0)
        .forEach(commit -> onStable.add(commit.build()));
    for (SplitCommit split : recent.splitsAfter(since)) {
      Build build = Build.of(split);
      boolean explained = crowded.computeIfAbsent(build, b -> crowd.explains(split));
      if (builds.add(build) && !onStable.contains(build) && !explained) {
        splits.add(split);
      }
    }
    return builds;
  }

  private void findEpisodes(TestHistory recent, Crowd crowd, Set<Build> split) {
    var byPullRequests = new TreeMap<String, Episode>();
    var suspects = new Suspects();
    for (RecentRun run : recent.runs()) {
      if (run.failed() && !split.contains(Build.of(run)) && !crowd.explains(run)) {
        Set<String> pullRequests = run.origin().pullRequests();
        suspects.add(pullRequests);
        if (run.branchClass() != BranchClass.STABLE) {
          String key = String.join(" ", new TreeSet<>(pullRequests));
          byPullRequests.merge(key, new Episode(1, run.at()), Episode::and);
        }
      }
    }
    if (!suspects.haveOne()) {
      episodes.addAll(byPullRequests.values());
    }
  }

  /** Passes elsewhere, and those of stable branches from before the runs that are known. */
  private void countOtherPasses(TestHistory recent) {
    var known = new HashMap<String, Instant>();
    stable.forEach(
        (line, commits) ->
            known.merge(
                line.branch(), commits.getFirst().first(), (a, b) -> a.isBefore(b) ? a : b));
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
    for (var line : stable.entrySet()) {
      double[] weight = weights.getOrDefault(line.getKey(), new double[0]);
      log += Regimes.likeliest(line.getValue(), rate, weight, new boolean[0]);
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
