package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.judge.Clues.Episode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A test's flakiness, as far as its history tells: shown with every test, and what the bayesian
 * monitor decides by.
 *
 * @param probability that it is flaky at all
 * @param rate the share of runs expected to fail for no reason in the code, with its 90 % interval
 *     from {@code low} to {@code high}
 * @param runs how many runs that rests on, old ones counting less
 * @param failures those of them that nothing in the code explains, old ones counting less
 * @param probabilityBroken that it fails for good on a stable branch
 * @param branch the stable branch the phases are of; empty where none has run
 * @param phases what that branch went through, oldest first
 * @param splits how many commits went both ways
 * @param lone on how many commits of stable branches it failed alone, between others that passed
 */
public record Flakiness(
    double probability,
    double rate,
    double low,
    double high,
    double runs,
    double failures,
    double probabilityBroken,
    String branch,
    List<Phase> phases,
    int splits,
    int lone) {
  /** One failure in a hundred runs, believed as if a quarter of a failure had been seen. */
  private static final BetaDistribution PRIOR = new BetaDistribution(0.25, 24.75);

  private static final double INTERVAL = 0.9;

  /**
   * A stretch of stable history between two change points.
   *
   * @param broken it failed for good
   * @param firstCommit the first commit of the phase that was run
   * @param commitBefore the last one run before it: the change lies between the two
   */
  public record Phase(
      boolean broken,
      Instant from,
      Instant to,
      int runs,
      int failures,
      String firstCommit,
      Optional<String> commitBefore) {}

  public Flakiness {
    phases = List.copyOf(phases);
  }

  /** The phase the stable branch is in, when it fails for good. */
  public Optional<Phase> brokenNow() {
    return phases.isEmpty()
        ? Optional.empty()
        : Optional.of(phases.getLast()).filter(Phase::broken);
  }

  public static Flakiness of(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    var clues = new Clues(history, rule, now);
    double[] logLikelihoods = new double[FlakeRates.VALUES.length];
    for (int i = 0; i < logLikelihoods.length; i++) {
      logLikelihoods[i] = clues.logLikelihood(i);
    }
    return new Estimate(clues, FlakeRates.posterior(logLikelihoods), rule, now).toFlakiness();
  }

  /** Puts the figures together. */
  private static final class Estimate {
    private final Clues clues;
    private final double[] posterior;
    private final Instant freshSince;
    private final double likeliestRate;
    private double failures;
    private double passes;
    private int splits;
    private int lone;
    private double broken;
    private String branch = "";
    private int mostRuns = -1;
    private List<Phase> phases = List.of();

    Estimate(Clues clues, double[] posterior, MonitorRule.Bayesian rule, Instant now) {
      this.clues = clues;
      this.posterior = posterior;
      freshSince = now.minus(Duration.ofDays(rule.halfLifeDays()));
      int likeliest = 0;
      for (int i = 1; i < posterior.length; i++) {
        likeliest = posterior[i] > posterior[likeliest] ? i : likeliest;
      }
      likeliestRate = FlakeRates.VALUES[likeliest];
    }

    Flakiness toFlakiness() {
      clues.stable.forEach(this::addLine);
      clues.splits.forEach(this::addSplit);
      clues.episodes.forEach(this::addEpisode);
      passes += clues.otherPasses();
      var known = new BetaDistribution(PRIOR.alpha() + failures, PRIOR.beta() + passes);
      return new Flakiness(
          1 - posterior[0],
          known.mean(),
          known.quantile((1 - INTERVAL) / 2),
          known.quantile((1 + INTERVAL) / 2),
          failures + passes,
          failures,
          broken,
          branch,
          phases,
          splits,
          lone);
    }

    private void addLine(CommitOutcome.Line line, List<CommitOutcome> commits) {
      double[] alike = new double[commits.size()];
      Arrays.fill(alike, 1);
      boolean[] course = new boolean[commits.size()];
      Regimes.likeliest(commits, likeliestRate, alike, course);
      int runs = 0;
      for (int i = 0; i < course.length; i++) {
        CommitOutcome commit = commits.get(i);
        runs += commit.runs();
        if (!course[i]) {
          double weight = clues.weight(commit.last());
          failures += weight * commit.failures();
          passes += weight * commit.passes();
          splits += commit.isSplit() ? 1 : 0;
          lone += commit.failures() > 0 && commit.passes() == 0 ? 1 : 0;
        }
      }
      double brokenHere =
          commits.getLast().last().isAfter(freshSince) ? probabilityBroken(commits) : 0;
      if (brokenHere > Math.max(broken, 0.5) || (broken <= 0.5 && runs > mostRuns)) {
        branch = line.branch();
        mostRuns = runs;
        phases = phases(commits, course);
      }
      broken = Math.max(broken, brokenHere);
    }

    private void addSplit(SplitCommit split) {
      failures += clues.weight(split.provenAt()) * split.failures();
      splits++;
    }

    /** As much of it as flakiness explains better than the pull request itself. */
    private void addEpisode(Episode episode) {
      double flaky = Math.pow(likeliestRate, episode.failures());
      double share = flaky / (flaky + Clues.BREAKS_IN_A_PULL_REQUEST);
      failures += clues.weight(episode.last()) * share * episode.failures();
    }
  }

  private static double probabilityBroken(List<CommitOutcome> commits) {
    CommitOutcome last = commits.getLast();
    if (last.failures() + last.crowded() == 0) {
      return 0;
    }
    double working = Double.NEGATIVE_INFINITY;
    double broken = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < FlakeRates.VALUES.length; i++) {
      Regimes.Ends ends = Regimes.ends(commits, FlakeRates.VALUES[i]);
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
        part.stream().mapToInt(CommitOutcome::runs).sum(),
        part.stream().mapToInt(commit -> commit.failures() + commit.crowded()).sum(),
        part.getFirst().commit(),
        from == 0 ? Optional.empty() : Optional.of(commits.get(from - 1).commit()));
  }
}
