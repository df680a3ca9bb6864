package dev.mainstay.core.health.replay;

import java.util.Arrays;
import java.util.List;

/**
 * The traits of a made-up repository.
 *
 * @param healthy how many tests fail for a reason only
 * @param flakes those that fail for none
 * @param mainPerHour uploads of the stable branch in an hour, each of a new commit
 * @param pullRequestsPerHour uploads of pull requests in an hour
 * @param retry how probable it is that a job that failed is run again on the same commit
 */
public record RepositoryTraits(
    int healthy,
    Flakes flakes,
    int days,
    double mainPerHour,
    double pullRequestsPerHour,
    double retry,
    Troubles troubles) {

  /** Half of these are below one in a hundred, as they are among flaky tests of the field. */
  public static final List<Double> STATED_RATES =
      Arrays.stream(
              new double[] {
                1e-4, 1e-4, 2e-4, 4e-4, 8e-4, 1.5e-3, 3e-3, 5e-3, 7e-3, 9e-3, 0.012, 0.015, 0.03,
                0.08, 0.15, 0.2, 0.3, 0.5, 0.55, 0.6
              })
          .boxed()
          .toList();

  /**
   * The flaky tests.
   *
   * @param tests how many fail by themselves, with rates drawn evenly from {@code rates}
   * @param groups how many groups of ten always fail together, with rates of 0.3 to 3 %
   * @param recorded the runs of further ones that somebody wrote down
   */
  public record Flakes(int tests, List<Double> rates, int groups, RecordedRuns recorded) {
    /** How many tests make a group. */
    public static final int GROUP = 10;

    public Flakes {
      rates = List.copyOf(rates);
      if (rates.isEmpty()) {
        throw new IllegalArgumentException("Flaky tests have one rate at least.");
      }
    }

    public static Flakes of(int tests, List<Double> rates) {
      return new Flakes(tests, rates, 0, RecordedRuns.NONE);
    }

    int count() {
      return tests + groups * GROUP + recorded.tests();
    }
  }

  /**
   * The reasons for which healthy tests fail too.
   *
   * @param regressions how many commits of the stable branch break up to four tests for hours
   * @param brief how many do so until the next commit
   * @param wide how many break fifteen tests at once
   * @param ownBreaks how probable it is that a push to a pull request breaks up to eight tests
   * @param rebased how probable it is that a push moves its pull request onto the newest commit
   * @param outagesPerWeek times at which many tests fail, in most uploads, for an hour or more
   * @param lostShards how probable it is that a twentieth of the tests fails in an upload
   */
  public record Troubles(
      int regressions,
      int brief,
      int wide,
      double ownBreaks,
      double rebased,
      double outagesPerWeek,
      double lostShards) {}

  public RepositoryTraits {
    if (healthy < 40 || days < 1) {
      throw new IllegalArgumentException("A repository has 40 healthy tests and one day at least.");
    }
  }

  public int tests() {
    return healthy + flakes.count();
  }
}
