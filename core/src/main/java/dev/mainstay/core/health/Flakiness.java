package dev.mainstay.core.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How flaky a test is, as far as its history tells: shown with every test, and what the bayesian
 * monitor decides by.
 *
 * @param probability that it is flaky at all
 * @param rate the share of runs expected to fail for no reason in the code, with its 90 % interval
 * @param runs how many runs that rests on, old ones counting less
 * @param failures those of them that nothing in the code explains, old ones counting less
 * @param phases what stable branches went through, oldest first
 */
public record Flakiness(
    double probability,
    double rate,
    double low,
    double high,
    double runs,
    double failures,
    List<Phase> phases) {

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

  public static Flakiness of(TestHistory history, MonitorRule.Bayesian rule, Instant now) {
    return new Flakiness(0, 0, 0, 1, 0, 0, List.of());
  }

  /** The phase that stable branches are in, when they fail for good. */
  public Optional<Phase> brokenNow() {
    return phases.isEmpty()
        ? Optional.empty()
        : Optional.of(phases.getLast()).filter(Phase::broken);
  }
}
