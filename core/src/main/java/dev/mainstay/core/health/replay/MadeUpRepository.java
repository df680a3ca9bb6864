package dev.mainstay.core.health.replay;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A repository, upload after upload. Every upload runs every test. A test fails because it is
 * flaky, because a commit of the stable branch broke it until it was mended, because a pull request
 * broke it, or because of an outage.
 */
final class MadeUpRepository {
  private static final double HOUR = 1;
  private static final int MODULE = 20;
  private static final int MOST_RETRIES = 2;
  private static final double RETRY_DELAY = HOUR / 3;
  private static final double HIT_BY_OUTAGE = 0.7;
  private static final double FAILS_IN_OUTAGE = 0.9;
  private static final double INHERITS_REGRESSION = 0.6;
  private static final double PULL_REQUEST_BREAKS = 0.15;
  private static final double NEXT_COMMIT_MENDS = 0.7;
  private static final double LAST_COMMIT = 0.35;

  /** One upload; hours count from the beginning. Some tests failed, some of them being flaky. */
  record Upload(
      double hour, boolean main, String branch, String commit, BitSet failed, BitSet flaked) {}

  /** Tests that a commit of the stable branch broke, from one hour to another. */
  record Regression(BitSet tests, double from, double to) {
    boolean isActive(double hour) {
      return hour >= from && hour < to;
    }
  }

  private record Outage(BitSet tests, double from, double to) {}

  /**
   * A commit that is to run, and the tests its code breaks: the same ones however often it runs.
   */
  private record Due(
      double hour, boolean main, String branch, String commit, BitSet broken, int retries) {}

  private static final class PullRequest {
    private int commits;
    private BitSet broken = new BitSet();
  }

  private final RepositoryTraits traits;
  private final Random random;
  final double[] rates;
  final List<Regression> regressions = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private final List<PullRequest> pullRequests = new ArrayList<>();
  private final List<Integer> open = new ArrayList<>();
  private final List<Due> retries = new ArrayList<>();
  private double nextMain;
  private double nextPullRequest;
  private int mainCommits;

  MadeUpRepository(RepositoryTraits traits, long seed) {
    this.traits = traits;
    random = new Random(seed);
    rates = new double[traits.tests()];
    for (int test = 0; test < rates.length; test++) {
      if (random.nextDouble() < traits.flakyShare()) {
        rates[test] = traits.flakyRates().get(random.nextInt(traits.flakyRates().size()));
      }
    }
    double hours = traits.days() * 24.0;
    for (int i = 0; i < traits.regressions(); i++) {
      double from = random.nextDouble() * hours;
      double lasts = Math.min(96, Math.exp(2 + 1.2 * random.nextGaussian()));
      regressions.add(new Regression(someOfAModule(4), from, from + Math.max(1, lasts)));
    }
    for (int i = 0; i < Math.round(traits.outagesPerWeek() * traits.days() / 7); i++) {
      double from = random.nextDouble() * hours;
      double share = 0.1 + 0.8 * random.nextDouble();
      outages.add(new Outage(each(share), from, from + 0.5 + 2.5 * random.nextDouble()));
    }
    nextMain = wait(traits.mainPerHour());
    nextPullRequest = wait(traits.pullRequestsPerHour());
  }

  private double wait(double perHour) {
    return -Math.log(1 - random.nextDouble()) / perHour;
  }

  private BitSet each(double share) {
    var tests = new BitSet();
    for (int test = 0; test < traits.tests(); test++) {
      if (random.nextDouble() < share) {
        tests.set(test);
      }
    }
    return tests;
  }

  private BitSet someOfAModule(int most) {
    int module = random.nextInt(traits.tests() / MODULE) * MODULE;
    var tests = new BitSet();
    for (int i = random.nextInt(most); i >= 0; i--) {
      tests.set(module + random.nextInt(MODULE));
    }
    return tests;
  }

  /** The next upload in time. */
  Upload next() {
    Due due = nextDue();
    var failed = new BitSet();
    for (int test = 0; test < rates.length; test++) {
      if (rates[test] > 0 && random.nextDouble() < rates[test]) {
        failed.set(test);
      }
    }
    var flaked = (BitSet) failed.clone();
    failed.or(due.broken);
    failForNoReason(due.hour, failed);
    if (!failed.isEmpty() && due.retries < MOST_RETRIES && random.nextDouble() < traits.retry()) {
      double later = due.hour + RETRY_DELAY * (0.5 + random.nextDouble());
      retries.add(new Due(later, due.main, due.branch, due.commit, due.broken, due.retries + 1));
    }
    return new Upload(due.hour, due.main, due.branch, due.commit, failed, flaked);
  }

  /** The tests that are broken on the stable branch, as far as a commit stands on it. */
  private BitSet inherited(double hour, double probability) {
    var broken = new BitSet();
    for (Regression regression : regressions) {
      if (regression.isActive(hour) && random.nextDouble() < probability) {
        broken.or(regression.tests);
      }
    }
    return broken;
  }

  private void failForNoReason(double hour, BitSet failed) {
    for (Outage outage : outages) {
      if (hour >= outage.from && hour < outage.to && random.nextDouble() < HIT_BY_OUTAGE) {
        BitSet hit = each(FAILS_IN_OUTAGE);
        hit.and(outage.tests);
        failed.or(hit);
      }
    }
    if (random.nextDouble() < traits.lostShards()) {
      int shard = Math.max(1, traits.tests() / 20);
      int from = random.nextInt(20) * shard;
      failed.set(from, Math.min(traits.tests(), from + shard));
    }
  }

  private Due nextDue() {
    Optional<Due> retry =
        retries.stream()
            .min(Comparator.comparingDouble(Due::hour))
            .filter(due -> due.hour <= Math.min(nextMain, nextPullRequest));
    if (retry.isPresent()) {
      retries.remove(retry.get());
      return retry.get();
    }
    if (nextMain <= nextPullRequest) {
      double hour = nextMain;
      nextMain += wait(traits.mainPerHour());
      return new Due(hour, true, "main", "m" + ++mainCommits, inherited(hour, 1), 0);
    }
    double hour = nextPullRequest;
    nextPullRequest += wait(traits.pullRequestsPerHour());
    return pushed(hour);
  }

  /** A new commit of a new or of an open pull request. */
  private Due pushed(double hour) {
    int number;
    if (open.isEmpty() || random.nextDouble() < LAST_COMMIT) {
      number = pullRequests.size();
      pullRequests.add(new PullRequest());
      open.add(number);
    } else {
      number = open.get(random.nextInt(open.size()));
    }
    PullRequest pr = pullRequests.get(number);
    if (!pr.broken.isEmpty() && random.nextDouble() < NEXT_COMMIT_MENDS) {
      pr.broken = new BitSet();
    } else if (random.nextDouble() < PULL_REQUEST_BREAKS) {
      pr.broken = someOfAModule(8);
    }
    pr.commits++;
    if (random.nextDouble() < LAST_COMMIT) {
      open.remove(Integer.valueOf(number));
    }
    BitSet broken = inherited(hour, INHERITS_REGRESSION);
    broken.or(pr.broken);
    String commit = "p" + number + "-" + pr.commits;
    return new Due(hour, false, "feature/" + number, commit, broken, 0);
  }
}
