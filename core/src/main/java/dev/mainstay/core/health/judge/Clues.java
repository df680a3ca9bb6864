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
import java.util.Arrays;
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
  static final double BREAKS_IN_A_PULL_REQUEST = 0.002;

  /** So long after the stable branch was mended pull requests still stand on what was broken. */
  private static final Duration INHERITED_FOR = Duration.ofDays(3);

  /** The probability that the same code goes both ways in a healthy test. */
  static final double SPLITS_WHILE_HEALTHY = 1e-8;

  private static final Comparator<BranchHour> IN_ORDER =
      Comparator.comparing(BranchHour::hour)
          .thenComparing(BranchHour::branch)
          .thenComparingInt(BranchHour::passes);

  private final Instant now;
  private final Instant since;
  private final double halfLifeSeconds;

  /** Commits of stable branches in order, each job by itself. */
  final Map<Line, List<CommitOutcome>> stable;

  /** Those lines, older commits weighing less. */
  final List<Track> tracks = new ArrayList<>();

  /** The same commits, each of them weighing as much as the others. */
  final List<Track> plainTracks = new ArrayList<>();

  /** Commits that went both ways, and not on a stable branch alone. */
  final List<SplitCommit> splits = new ArrayList<>();

  /** Failures of the same pull requests, without a pass of the same job on the same commit. */
  record Episode(int failures, Instant first, Instant last) {
    private Episode and(Episode other) {
      return new Episode(
          failures + other.failures,
          first.isBefore(other.first) ? first : other.first,
          last.isAfter(other.last) ? last : other.last);
    }
  }

  final List<Episode> episodes = new ArrayList<>();

  /**
   * The passes of an hour, and their weight.
   *
   * @param elsewhere not on a stable branch
   * @param told by runs too, or beside failures that are not known any more
   */
  record Passes(Instant hour, int passes, double weight, boolean elsewhere, boolean told) {}

  /** The passes of all hours, in one order. */
  final List<Passes> passes = new ArrayList<>();

  /** Those that are told by the hour only, old ones counting less. */
  private double weighedPasses;

  final Crowd crowd;

  Clues(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    this.now = now;
    since = now.minus(rule.lookBack());
    halfLifeSeconds = Duration.ofDays(rule.halfLifeDays()).toSeconds();
    TestHistory recent = since(history);
    Crowd first = Crowd.of(recent);
    var outcomes = CommitOutcome.byLine(recent, first);
    crowd = first.knowing(GroupReturns.areEnough(recent, first, outcomes));
    stable = crowd.recurs() ? CommitOutcome.byLine(recent, crowd) : outcomes;
    for (List<CommitOutcome> commits : stable.values()) {
      double[] weights = new double[commits.size()];
      double[] alike = new double[commits.size()];
      Arrays.fill(alike, 1);
      Arrays.setAll(weights, i -> weight(commits.get(i).last()));
      tracks.add(new Track(commits, weights));
      plainTracks.add(new Track(commits, alike));
    }
    var crowded = new HashMap<Build, Boolean>();
    recent.runs().stream()
        .filter(RecentRun::failed)
        .forEach(run -> crowded.merge(Build.of(run), crowd.explains(run), Boolean::logicalAnd));
    Set<Build> split = findSplits(recent, crowded);
    findEpisodes(recent, split);
    weighPasses(recent);
  }

  private TestHistory since(TestHistory history) {
    return new TestHistory(
        history.hours().stream().filter(hour -> hour.hour().isAfter(since)).toList(),
        history.splits().stream().filter(split -> split.provenAt().isAfter(since)).toList(),
        history.runs().stream().filter(run -> run.at().isAfter(since)).toList());
  }

  private Set<Build> findSplits(TestHistory recent, Map<Build, Boolean> crowded) {
    var builds = new HashSet<Build>();
    var onStable = new HashSet<Build>();
    stable.values().stream()
        .flatMap(List::stream)
        .filter(commit -> commit.passes() > 0 && commit.hasFailed())
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

  private void findEpisodes(TestHistory recent, Set<Build> split) {
    var byPullRequests = new TreeMap<String, Episode>();
    var suspects = new Suspects();
    for (RecentRun run : recent.runs()) {
      if (run.failed() && !split.contains(Build.of(run)) && !crowd.explains(run)) {
        Set<String> pullRequests = run.origin().pullRequests();
        suspects.add(pullRequests);
        if (run.branchClass() != BranchClass.STABLE) {
          String key = String.join(" ", new TreeSet<>(pullRequests));
          byPullRequests.merge(key, new Episode(1, run.at(), run.at()), Episode::and);
        }
      }
    }
    if (!suspects.haveOne()) {
      episodes.addAll(byPullRequests.values());
    }
  }

  /** What is told by the hour only: passes elsewhere, and from before the runs that are known. */
  private void weighPasses(TestHistory recent) {
    var known = new HashMap<String, Instant>();
    stable.forEach(
        (line, commits) ->
            known.merge(
                line.branch(), commits.getFirst().first(), (a, b) -> a.isBefore(b) ? a : b));
    Instant othersSince = othersSince(recent);
    // In one order, whatever the order they came in: sums of fractions depend on it.
    for (BranchHour hour : recent.hours().stream().sorted(IN_ORDER).toList()) {
      boolean elsewhere = hour.branchClass() != BranchClass.STABLE;
      Instant from = known.get(hour.branch());
      boolean told =
          elsewhere
              ? hour.hour().isBefore(othersSince)
              : from != null && hour.hour().plus(Duration.ofHours(1)).isAfter(from);
      double weight = weight(hour.hour());
      passes.add(new Passes(hour.hour(), hour.passes(), weight, elsewhere, told));
      weighedPasses += told ? 0 : weight * hour.passes();
    }
  }

  /**
   * Where there are too many failures elsewhere to know all, passes from before them say nothing.
   */
  private Instant othersSince(TestHistory recent) {
    List<RecentRun> others =
        recent.runs().stream().filter(run -> run.branchClass() != BranchClass.STABLE).toList();
    return others.size() < TestHistory.MOST_OTHER_FAILURES
        ? since
        : others.stream().map(RecentRun::at).min(Comparator.naturalOrder()).orElse(since);
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
    double log = weighedPasses * Math.log1p(-rate);
    var broken = new ArrayList<Span>();
    for (Track track : tracks) {
      boolean[] course = new boolean[episodes.isEmpty() ? 0 : track.size()];
      log += Regimes.likeliest(track, rate, course);
      broken.addAll(Span.broken(track.commits, course));
    }
    for (SplitCommit split : splits) {
      double flaky = Math.log(rate) + split.passes() * Math.log1p(-rate);
      log += weight(split.provenAt()) * Math.max(flaky, Math.log(SPLITS_WHILE_HEALTHY));
    }
    return log + elsewhere(rate, broken);
  }

  /**
   * The likelihood of failures on pull requests. While a test is broken on the stable branch, or
   * was lately, as many fail as stand on that, so that passes there speak against it.
   */
  private double elsewhere(double rate, List<Span> broken) {
    long inherited = episodes.stream().filter(episode -> isInherited(episode, broken)).count();
    double inherits = BREAKS_IN_A_PULL_REQUEST;
    double log = 0;
    if (inherited > 0) {
      double passed = 0;
      double weighed = 0;
      for (Passes hour : passes) {
        if (hour.elsewhere && hour.passes > 0 && isIn(broken, hour.hour)) {
          passed += hour.passes;
          weighed += hour.weight * hour.passes;
        }
      }
      inherits = Math.clamp(inherited / (inherited + passed), BREAKS_IN_A_PULL_REQUEST, 0.5);
      log = weighed * Math.log1p(-inherits);
    }
    for (Episode episode : episodes) {
      double flaky = Math.pow(rate, episode.failures());
      double own = isInherited(episode, broken) ? inherits : BREAKS_IN_A_PULL_REQUEST;
      log += weight(episode.last()) * Math.log((1 - own) * flaky + own);
    }
    return log;
  }

  /**
   * A time in which pull requests may stand on a stable branch that was broken: from the first
   * commit that was until some days after the last.
   */
  record Span(Instant from, Instant to) {
    private static Span of(CommitOutcome broken) {
      return new Span(broken.first(), broken.last().plus(INHERITED_FOR));
    }

    /** The spans of a course, those that meet being one. */
    static List<Span> broken(List<CommitOutcome> commits, boolean[] course) {
      var spans = new ArrayList<Span>();
      for (int i = 0; i < course.length; i++) {
        if (course[i]) {
          Span next = of(commits.get(i));
          boolean meets = !spans.isEmpty() && !next.from.isAfter(spans.getLast().to);
          spans.add(meets ? new Span(spans.removeLast().from, next.to) : next);
        }
      }
      return spans;
    }

    private boolean holds(Instant time) {
      return !time.isBefore(from) && !time.isAfter(to);
    }
  }

  /** A pull request failed first while, or soon after, the stable branch was broken. */
  static boolean isInherited(Episode episode, List<Span> broken) {
    return isIn(broken, episode.first);
  }

  private static boolean isIn(List<Span> spans, Instant time) {
    for (Span span : spans) {
      if (span.holds(time)) {
        return true;
      }
    }
    return false;
  }

  /** Runs that passed in the hours after a time, on whatever branch. */
  long passesSince(Instant time) {
    long count = 0;
    for (Passes hour : passes) {
      count += hour.hour.isAfter(time) ? hour.passes : 0;
    }
    return count;
  }
}
