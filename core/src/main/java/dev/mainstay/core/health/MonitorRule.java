package dev.mainstay.core.health;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A monitor's rule: when it is active for a test, and when it resolves. Every limit is checked
 * here, and the exception of a value out of range names all faults, one sentence each.
 */
public sealed interface MonitorRule {
  int LONGEST_WINDOW_HOURS = 30 * 24;
  int MOST_GLOBS = 10;
  int LONGEST_GLOB = 200;
  int MOST_RUNS = 1_000_000;

  /** The name of this kind of rule in the API and the CLI. */
  String kind();

  /** The status it gives while it is active; the worst one where evidence decides. */
  TestStatus status();

  /** The time for which the rule needs to look back. */
  Duration lookBack();

  /** Some commit has both a failure and a pass in one job, in any order. Always flaky. */
  record PassOnRetry(int recoveryDays) implements MonitorRule {
    public static final PassOnRetry DEFAULT = new PassOnRetry(7);

    public PassOnRetry {
      new Limits().within("recovery_days", recoveryDays, 1, 15).check();
    }

    @Override
    public String kind() {
      return "pass_on_retry";
    }

    @Override
    public TestStatus status() {
      return TestStatus.FLAKY;
    }

    @Override
    public Duration lookBack() {
      return Duration.ofDays(recoveryDays);
    }
  }

  /** Enough of enough runs failed on branches that match; no glob means the stable branches. */
  record FailureRate(
      TestStatus status,
      double activation,
      double resolution,
      int minRuns,
      int windowHours,
      int staleHours,
      List<Glob> branches)
      implements MonitorRule {
    public FailureRate {
      branches = List.copyOf(branches);
      new Limits()
          .unhealthy(status)
          .that(activation > 0 && activation <= 1, "activation is above 0 and at most 1.")
          .that(resolution >= 0 && resolution <= 1, "resolution is from 0 to 1.")
          .that(!(resolution > activation), "resolution is at most activation.")
          .within("min_runs", minRuns, 1, MOST_RUNS)
          .within("window_hours", windowHours, 1, LONGEST_WINDOW_HOURS)
          .within("stale_hours", staleHours, 1, LONGEST_WINDOW_HOURS)
          .globs(branches)
          .check();
    }

    @Override
    public String kind() {
      return "failure_rate";
    }

    @Override
    public Duration lookBack() {
      return Duration.ofHours(Math.max(windowHours, staleHours) + 1L);
    }
  }

  /** Enough runs failed on branches that match, however many passed. */
  record FailureCount(
      TestStatus status, int count, int windowHours, int resolutionHours, List<Glob> branches)
      implements MonitorRule {
    public FailureCount {
      branches = List.copyOf(branches);
      new Limits()
          .unhealthy(status)
          .within("count", count, 1, MOST_RUNS)
          .within("window_hours", windowHours, 1, LONGEST_WINDOW_HOURS)
          .within("resolution_hours", resolutionHours, 1, LONGEST_WINDOW_HOURS)
          .that(resolutionHours >= windowHours, "resolution_hours is at least window_hours.")
          .globs(branches)
          .check();
    }

    @Override
    public String kind() {
      return "failure_count";
    }

    @Override
    public Duration lookBack() {
      return Duration.ofHours(resolutionHours + 1L);
    }
  }

  /**
   * The evidence of retries, stable branches and pull requests weighed against what a healthy test
   * would show: flaky where the probability of flakiness reaches {@code activation}, until it falls
   * below {@code resolution}; broken where stable branches fail for good from some commit on.
   */
  record Bayesian(double activation, double resolution, int halfLifeDays) implements MonitorRule {
    public static final Bayesian DEFAULT = new Bayesian(0.95, 0.5, 7);

    public Bayesian {
      new Limits()
          .that(activation >= 0.5 && activation < 1, "activation is at least 0.5 and below 1.")
          .that(resolution > 0 && resolution < 1, "resolution is above 0 and below 1.")
          .that(!(resolution > activation), "resolution is at most activation.")
          .within("half_life_days", halfLifeDays, 1, 15)
          .check();
    }

    @Override
    public String kind() {
      return "bayesian";
    }

    @Override
    public TestStatus status() {
      return TestStatus.BROKEN;
    }

    /** Runs older than that weigh less than a tenth. */
    @Override
    public Duration lookBack() {
      return Duration.ofDays(Math.min(30, 4L * halfLifeDays));
    }
  }

  /** Collects every fault, so that one answer names them all. */
  final class Limits {
    private final List<String> faults = new ArrayList<>();

    private Limits() {}

    private Limits that(boolean holds, String sentence) {
      if (!holds) {
        faults.add(sentence);
      }
      return this;
    }

    private Limits within(String name, int value, int least, int most) {
      return that(
          value >= least && value <= most, "%s is from %d to %d.".formatted(name, least, most));
    }

    private Limits unhealthy(TestStatus status) {
      return that(status != TestStatus.HEALTHY, "status is flaky or broken.");
    }

    private Limits globs(List<Glob> branches) {
      return that(branches.size() <= MOST_GLOBS, "branches are at most 10 patterns.")
          .that(
              branches.stream()
                  .allMatch(g -> !g.pattern().isEmpty() && g.pattern().length() <= LONGEST_GLOB),
              "each pattern of branches has 1 to 200 characters.");
    }

    private void check() {
      if (!faults.isEmpty()) {
        throw new IllegalArgumentException(String.join(" ", faults));
      }
    }
  }
}
