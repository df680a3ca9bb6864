package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.MonitorRule.Bayesian;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.TestStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Broken while stable branches probably fail for good, else flaky while the test probably is. Each
 * becomes so at the higher probability and stays so down to the lower one.
 */
final class BayesianWatch {
  private static final Duration SOONEST_REVIEW = Duration.ofHours(1);
  private static final Duration LATEST_REVIEW = Duration.ofDays(1);

  private BayesianWatch() {}

  static Finding look(TestHistory history, Bayesian rule, Optional<MonitorState> was, Instant now) {
    Flakiness seen = Estimate.of(history, rule, now);
    boolean broken = seen.probabilityBroken() >= threshold(rule, was, TestStatus.BROKEN);
    double least = threshold(rule, was, TestStatus.FLAKY);
    boolean flaky =
        seen.probability() >= least && (least < rule.activation() || seen.signs().areEnough());
    TestStatus status = broken ? TestStatus.BROKEN : TestStatus.FLAKY;
    boolean active = broken || flaky;
    String sentence =
        broken
            ? Phrases.broken(seen)
            : flaky ? Phrases.flaky(seen, rule) : Phrases.calm(seen, rule, was);
    return new Finding(
        active,
        status,
        evidence(history, seen, rule, now, sentence),
        active ? Optional.of(reviewAt(seen, rule, broken, now)) : Optional.empty());
  }

  /** When the probability may have changed, or the oldest failure that is counted leaves. */
  private static Instant reviewAt(Flakiness seen, Bayesian rule, boolean broken, Instant now) {
    Instant faded = now.plus(review(seen, rule, broken));
    return seen.signs()
        .first()
        .map(first -> first.plus(rule.lookBack()))
        .filter(leaves -> leaves.isAfter(now) && leaves.isBefore(faded))
        .orElse(faded);
  }

  /** Whoever is found to be flaky stays so down to the lower probability. */
  private static double threshold(Bayesian rule, Optional<MonitorState> was, TestStatus status) {
    boolean held = was.isPresent() && was.get().active() && was.get().status() == status;
    return held ? rule.resolution() : rule.activation();
  }

  /**
   * Evidence fades with age, all of it at the same pace: so much time passes at least until as much
   * is left as the lower threshold takes. Looking too early does no harm.
   */
  private static Duration review(Flakiness seen, Bayesian rule, boolean broken) {
    if (broken) {
      return LATEST_REVIEW;
    }
    double prior = -FlakeRates.logPrior(0) + Math.log(1 - Math.exp(FlakeRates.logPrior(0)));
    double left = logOdds(rule.resolution()) - prior;
    double share = left / Math.max(left, logOdds(seen.probability()) - prior);
    double days = -rule.halfLifeDays() * Math.log(share) / Math.log(2);
    Duration wait = Duration.ofMinutes((long) (days * 24 * 60 / 2));
    return wait.compareTo(SOONEST_REVIEW) < 0
        ? SOONEST_REVIEW
        : wait.compareTo(LATEST_REVIEW) > 0 ? LATEST_REVIEW : wait;
  }

  private static double logOdds(double probability) {
    double inside = Math.min(probability, 1 - 1e-12);
    return Math.log(inside / (1 - inside));
  }

  private static Evidence evidence(
      TestHistory history, Flakiness seen, Bayesian rule, Instant now, String sentence) {
    var numbers = new TreeMap<String, Double>();
    numbers.put("probability", seen.probability());
    numbers.put("probability_broken", seen.probabilityBroken());
    numbers.put("rate", seen.rate());
    numbers.put("rate_low", seen.low());
    numbers.put("rate_high", seen.high());
    var commits = new ArrayList<String>();
    Optional<Flakiness.Phase> broken = seen.brokenNow();
    broken.ifPresent(phase -> commits.add(phase.firstCommit()));
    broken.flatMap(Flakiness.Phase::commitBefore).ifPresent(commits::add);
    List<SplitCommit> splits = history.splitsAfter(now.minus(rule.lookBack()));
    splits.forEach(split -> commits.add(split.commit()));
    return new Evidence(
        sentence,
        now.minus(rule.lookBack()),
        now,
        broken.map(phase -> (long) phase.runs()).orElse(seen.runs()),
        broken.map(phase -> (long) phase.failures()).orElse(seen.failures()),
        commits,
        numbers);
  }
}
