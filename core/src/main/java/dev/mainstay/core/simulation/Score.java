package dev.mainstay.core.simulation;

import java.util.List;

/**
 * The score of one policy, over all the worlds it was tried in. Times are minutes, shares
 * fractions.
 *
 * @param landedPerHour from the first arrival to the last decision
 * @param buildsPerChange builds started, aborted ones included
 * @param wastedBuilds builds that no landing and no rejection rested on
 * @param falseEjections changes rejected although main would have stayed green with them
 */
public record Score(
    int changes,
    int landed,
    Turnaround turnaround,
    double landedPerHour,
    double buildsPerChange,
    double ciMinutesPerChange,
    long wastedBuilds,
    double wastedShare,
    int falseEjections,
    double greenShare,
    long events) {

  private static final double MINUTE = 60_000;

  public record Turnaround(double p50, double p95, double p99) {

    /** The ratio of one turnaround to another. */
    public Turnaround over(Turnaround other) {
      return new Turnaround(p50 / other.p50, p95 / other.p95, p99 / other.p99);
    }
  }

  public int rejected() {
    return changes - landed;
  }

  public static Score of(List<PolicyOutcome> outcomes) {
    List<Decision> decisions =
        outcomes.stream().flatMap(outcome -> outcome.decisions().stream()).toList();
    int landed = (int) decisions.stream().filter(Decision::landed).count();
    double builds = outcomes.stream().mapToLong(PolicyOutcome::builds).sum();
    long useful = outcomes.stream().mapToLong(PolicyOutcome::usefulBuilds).sum();
    double busy = outcomes.stream().mapToLong(PolicyOutcome::busyMillis).sum();
    double span = outcomes.stream().mapToLong(PolicyOutcome::spanMillis).sum();
    double red = outcomes.stream().mapToLong(PolicyOutcome::redMillis).sum();
    return new Score(
        decisions.size(),
        landed,
        turnaround(decisions),
        share(landed, span) * 60 * MINUTE,
        share(builds, decisions.size()),
        share(busy / MINUTE, decisions.size()),
        (long) builds - useful,
        share(builds - useful, builds),
        (int) decisions.stream().filter(Decision::falseEjection).count(),
        1 - share(red, span),
        outcomes.stream().mapToLong(PolicyOutcome::events).sum());
  }

  private static Turnaround turnaround(List<Decision> decisions) {
    var percentiles = new Percentiles(decisions.stream().mapToLong(Decision::turnaround));
    return new Turnaround(
        percentiles.at(50) / MINUTE, percentiles.at(95) / MINUTE, percentiles.at(99) / MINUTE);
  }

  private static double share(double part, double whole) {
    return whole == 0 ? 0 : part / whole;
  }
}
