package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.judge.Clues.Episode;
import dev.mainstay.core.health.judge.Clues.Span;
import dev.mainstay.core.health.judge.Flakiness.Phase;
import dev.mainstay.core.health.judge.Flakiness.Signs;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Puts the figures of a test's flakiness together. */
public final class Estimate {
  private final Clues clues;
  private final double[] posterior;
  private final Instant freshSince;
  private final double likeliestRate;
  private final List<Instant> signs = new ArrayList<>();
  private final List<Span> brokenSpans = new ArrayList<>();
  private int splits;
  private int lone;
  private int unrelated;
  private double broken;
  private String branch = "";
  private int mostRuns = -1;
  private List<Phase> phases = List.of();

  private Estimate(Clues clues, double[] posterior, MonitorRule.Bayesian rule, Instant now) {
    this.clues = clues;
    this.posterior = posterior;
    freshSince = now.minus(Duration.ofDays(rule.halfLifeDays()));
    int likeliest = 0;
    for (int i = 1; i < posterior.length; i++) {
      likeliest = posterior[i] > posterior[likeliest] ? i : likeliest;
    }
    likeliestRate = FlakeRates.VALUES[likeliest];
  }

  public static Flakiness of(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    var clues = new Clues(history, rule, now);
    double[] logLikelihoods = new double[FlakeRates.VALUES.length];
    for (int i = 0; i < logLikelihoods.length; i++) {
      logLikelihoods[i] = clues.logLikelihood(i);
    }
    return new Estimate(clues, FlakeRates.posterior(logLikelihoods), rule, now).toFlakiness();
  }

  private Flakiness toFlakiness() {
    clues.plainTracks.forEach(this::addLine);
    clues.splits.forEach(this::addSplit);
    clues.episodes.forEach(this::addEpisode);
    Readings known = Readings.of(clues, likeliestRate);
    Optional<Instant> last = signs.stream().max(Comparator.naturalOrder());
    return new Flakiness(
        1 - posterior[0],
        known.mean(),
        known.quantile(RateCount.LOW),
        known.quantile(RateCount.HIGH),
        known.counted().runs(),
        known.counted().failures(),
        broken,
        branch,
        phases,
        new Signs(
            splits,
            lone,
            unrelated,
            clues.crowd.recurs(),
            signs.stream().min(Comparator.naturalOrder()),
            last,
            last.map(clues::passesSince).orElse(0L)));
  }

  private void addLine(Track track) {
    List<CommitOutcome> commits = track.commits;
    double brokenHere = commits.getLast().last().isAfter(freshSince) ? probabilityBroken(track) : 0;
    boolean[] course = course(track, brokenHere > 0.5);
    brokenSpans.addAll(Span.broken(commits, course));
    int runs = 0;
    for (int i = 0; i < course.length; i++) {
      CommitOutcome commit = commits.get(i);
      runs += commit.jobs();
      if (!course[i] && commit.failures() > 0) {
        signs.add(commit.last());
        splits += commit.isSplit() ? 1 : 0;
        lone += commit.isSplit() ? 0 : 1;
      }
    }
    if (brokenHere > Math.max(broken, 0.5) || (broken <= 0.5 && runs > mostRuns)) {
      branch = commits.getFirst().line().branch();
      mostRuns = runs;
      phases = phases(commits, course);
    }
    broken = Math.max(broken, brokenHere);
  }

  /** Which commits were broken: under the likeliest rate, unless that hides what is broken now. */
  private boolean[] course(Track track, boolean brokenNow) {
    boolean[] course = new boolean[track.size()];
    Regimes.likeliest(track, likeliestRate, course);
    if (brokenNow && !course[course.length - 1]) {
      Regimes.likeliest(track, FlakeRates.VALUES[0], course);
    }
    return course;
  }

  private void addSplit(SplitCommit split) {
    signs.add(split.provenAt());
    splits++;
  }

  private void addEpisode(Episode episode) {
    if (!Clues.isInherited(episode, brokenSpans)) {
      signs.add(episode.last());
      unrelated++;
    }
  }

  private static double probabilityBroken(Track track) {
    if (!track.commits.getLast().hasFailed()) {
      return 0;
    }
    double working = Double.NEGATIVE_INFINITY;
    double broken = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < FlakeRates.VALUES.length; i++) {
      Regimes.Ends ends = Regimes.ends(track, FlakeRates.VALUES[i]);
      working = Regimes.sum(working, FlakeRates.logPrior(i) + ends.working());
      broken = Regimes.sum(broken, FlakeRates.logPrior(i) + ends.broken());
    }
    return Math.exp(broken - Regimes.sum(working, broken));
  }

  private static List<Phase> phases(List<CommitOutcome> commits, boolean[] course) {
    var phases = new ArrayList<Phase>();
    int from = 0;
    for (int i = 1; i <= course.length; i++) {
      if (i == course.length || course[i] != course[from]) {
        phases.add(phase(commits, from, i, course[from]));
        from = i;
      }
    }
    return phases;
  }

  private static Phase phase(List<CommitOutcome> commits, int from, int to, boolean broken) {
    List<CommitOutcome> part = commits.subList(from, to);
    return new Phase(
        broken,
        part.getFirst().first(),
        part.getLast().last(),
        part.stream().mapToInt(CommitOutcome::jobs).sum(),
        part.stream().mapToInt(CommitOutcome::failedJobs).sum(),
        part.getFirst().commit(),
        from == 0 ? Optional.empty() : Optional.of(commits.get(from - 1).commit()));
  }
}
