package dev.mainstay.core.health.replay;

import java.util.Arrays;
import java.util.List;

/**
 * The traits of a made-up repository.
 *
 * @param flakyShare how many of the tests are flaky
 * @param flakyRates the rates of flaky tests, drawn from evenly
 * @param mainPerHour uploads of the stable branch in an hour, each of a new commit
 * @param pullRequestsPerHour uploads of pull requests in an hour
 * @param retry how probable it is that a job that failed is run again on the same commit
 * @param regressions how many commits of the stable branch break something, over all days
 * @param outagesPerWeek times at which many tests fail, in most uploads, for an hour or more
 * @param lostShards how probable it is that a twentieth of the tests fails in an upload
 */
public record RepositoryTraits(
    int tests,
    double flakyShare,
    List<Double> flakyRates,
    int days,
    double mainPerHour,
    double pullRequestsPerHour,
    double retry,
    int regressions,
    double outagesPerWeek,
    double lostShards) {

  /** Half of these are below one in a hundred, as they are among flaky tests of the field. */
  public static final List<Double> STATED_RATES =
      Arrays.stream(
              new double[] {
                1e-4, 1e-4, 2e-4, 4e-4, 8e-4, 1.5e-3, 3e-3, 5e-3, 7e-3, 9e-3, 0.012, 0.015, 0.03,
                0.08, 0.15, 0.2, 0.3, 0.5, 0.55, 0.6
              })
          .boxed()
          .toList();

  public RepositoryTraits {
    flakyRates = List.copyOf(flakyRates);
    if (tests < 40 || days < 1 || flakyRates.isEmpty()) {
      throw new IllegalArgumentException(
          "A repository has 40 tests, one day and one rate at least.");
    }
  }

  public static RepositoryTraits of(int tests, int days, List<Double> flakyRates) {
    return new RepositoryTraits(
        tests, 0.08, flakyRates, days, 1, 4, 0.5, Math.max(1, tests / 40), 1, 0.005);
  }
}
