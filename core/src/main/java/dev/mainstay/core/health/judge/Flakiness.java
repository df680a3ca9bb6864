package dev.mainstay.core.health.judge;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A test's flakiness, as far as its history tells: shown with every test, and what the bayesian
 * monitor decides by.
 *
 * @param probability that it is flaky at all
 * @param rate the share of runs expected to fail for no reason in the code, with its 90 % interval
 *     from {@code low} to {@code high}; older runs count less for it
 * @param runs how many runs that rests on
 * @param failures those of them that nothing in the code explains
 * @param probabilityBroken that it fails for good on a stable branch
 * @param branch the stable branch the phases are of; empty where none has run
 * @param phases what that branch went through, oldest first
 * @param signs what speaks for flakiness
 */
public record Flakiness(
    double probability,
    double rate,
    double low,
    double high,
    long runs,
    long failures,
    double probabilityBroken,
    String branch,
    List<Phase> phases,
    Signs signs) {

  /**
   * A stretch of stable history between two change points.
   *
   * @param broken it failed for good
   * @param runs how many jobs ran it, and in how many it ended by a failure
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

  /**
   * The failures that speak for flakiness.
   *
   * @param splits commits that went both ways
   * @param lone commits of stable branches on which it failed, between others that passed
   * @param elsewhere pull requests on which it failed while stable branches worked
   * @param inGroups it keeps failing together with many others
   * @param first the oldest of these, and the latest
   * @param passesSince runs that passed since the latest, by whole hours
   */
  public record Signs(
      int splits,
      int lone,
      int elsewhere,
      boolean inGroups,
      Optional<Instant> first,
      Optional<Instant> last,
      long passesSince) {

    /**
     * One failure may be a breakage that the next commit mended, and a few pull requests may each
     * have broken the test themselves; the same code going both ways is proof enough.
     */
    boolean areEnough() {
      return splits > 0
          || lone > 1
          || (lone > 0 && elsewhere >= SOME_PULL_REQUESTS)
          || elsewhere >= MANY_PULL_REQUESTS;
    }

    private static final int SOME_PULL_REQUESTS = 3;
    private static final int MANY_PULL_REQUESTS = 10;
  }

  public Flakiness {
    phases = List.copyOf(phases);
  }

  /** The phase the stable branch is in, when it fails for good. */
  public Optional<Phase> brokenNow() {
    return phases.isEmpty()
        ? Optional.empty()
        : Optional.of(phases.getLast()).filter(Phase::broken);
  }
}
