package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.replay.RepositoryTraits.Flakes;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A repository, upload after upload. Every upload runs every test. A test fails because it is
 * flaky, because a commit of the stable branch broke it until it was mended, because a pull request
 * broke it or stands on a commit that did, or because of an outage.
 */
final class MadeUpRepository {
  private static final double HOUR = 1;
  private static final int MODULE = 20;
  private static final int WIDE = 15;
  private static final int MOST_RETRIES = 2;
  private static final double RETRY_DELAY = HOUR / 3;
  private static final double HIT_BY_OUTAGE = 0.7;
  private static final double FAILS_IN_OUTAGE = 0.9;
  private static final double NEXT_COMMIT_MENDS = 0.7;
  private static final double LAST_COMMIT = 0.35;

  /**
   * One upload; hours count from the beginning.
   *
   * @param flaked those of the failed tests that failed for no reason
   * @param own those that the pull request itself broke
   */
  record Upload(
      double hour,
      boolean main,
      boolean first,
      String branch,
      String commit,
      BitSet failed,
      BitSet flaked,
      BitSet own) {}

  /** Tests that a commit of the stable branch broke, until another one mended them. */
  record Regression(BitSet tests, int breaking, int mending, double from, double to) {
    boolean isActive(double hour) {
      return hour >= from && hour < to;
    }

    int commits() {
      return mending - breaking;
    }
  }

  private record Outage(BitSet tests, double from, double to) {}

  /**
   * A commit that is to run, and the tests its code breaks: the same ones however often it runs.
   */
  private record Due(
      double hour,
      boolean main,
      String branch,
      String commit,
      BitSet broken,
      BitSet own,
      int retries) {}

  private static final class PullRequest {
    private int commits;
    private BitSet broken = new BitSet();

    /** The hour of the stable branch that it stands on. */
    private double base;
  }

  private final RepositoryTraits traits;
  private final Random random;
  final double[] rates;
  final List<Regression> regressions = new ArrayList<>();
  private final List<Outage> outages = new ArrayList<>();
  private final List<PullRequest> pullRequests = new ArrayList<>();
  private final List<Integer> open = new ArrayList<>();
  private final List<Due> retries = new ArrayList<>();

  /** The hours of all commits of the stable branch. */
  private final List<Double> main = new ArrayList<>();

  private double nextPullRequest;
  private int mainCommits;
  private int recordedRun;

  MadeUpRepository(RepositoryTraits traits, long seed) {
    this.traits = traits;
    random = new Random(seed);
    rates = rates(traits.flakes());
    double hours = traits.days() * 24.0;
    for (double at = wait(traits.mainPerHour()); at < hours; at += wait(traits.mainPerHour())) {
      main.add(at);
    }
    main.add(hours);
    var troubles = traits.troubles();
    for (int i = 0; i < troubles.regressions(); i++) {
      regress(someOfAModule(4), Math.min(96, Math.exp(2 + 1.2 * random.nextGaussian())));
    }
    for (int i = 0; i < troubles.brief(); i++) {
      regress(someOfAModule(4), 0);
    }
    for (int i = 0; i < troubles.wide(); i++) {
      BitSet module = new BitSet();
      int first = aModule();
      module.set(first, first + WIDE);
      regress(module, 12 + 24 * random.nextDouble());
    }
    for (int i = 0; i < Math.round(troubles.outagesPerWeek() * traits.days() / 7); i++) {
      double from = random.nextDouble() * hours;
      double share = 0.1 + 0.8 * random.nextDouble();
      outages.add(new Outage(each(share), from, from + 0.5 + 2.5 * random.nextDouble()));
    }
    nextPullRequest = wait(traits.pullRequestsPerHour());
    recordedRun = random.nextInt(Math.max(1, traits.flakes().recorded().runs().size()));
  }

  private double[] rates(Flakes flakes) {
    double[] all = new double[traits.tests()];
    int test = traits.healthy();
    for (int i = 0; i < flakes.tests(); i++) {
      all[test++] = flakes.rates().get(random.nextInt(flakes.rates().size()));
    }
    for (int i = 0; i < flakes.groups(); i++) {
      double rate = Math.exp(Math.log(0.003) + random.nextDouble() * Math.log(10));
      for (int j = 0; j < Flakes.GROUP; j++) {
        all[test++] = rate;
      }
    }
    for (int i = 0; i < flakes.recorded().tests(); i++) {
      all[test++] = flakes.recorded().rate(i);
    }
    return all;
  }

  /** Breaks tests from some commit on, for so many hours and one commit at least. */
  private void regress(BitSet tests, double lasts) {
    int breaking = 1 + random.nextInt(main.size() - 2);
    int mending = breaking + 1;
    while (mending < main.size() - 1 && main.get(mending) < main.get(breaking) + lasts) {
      mending++;
    }
    regressions.add(
        new Regression(tests, breaking, mending, main.get(breaking), main.get(mending)));
  }

  static String mainCommit(int index) {
    return "m" + index;
  }

  private double wait(double perHour) {
    return -Math.log(1 - random.nextDouble()) / perHour;
  }

  private BitSet each(double share) {
    var tests = new BitSet();
    for (int test = 0; test < rates.length; test++) {
      if (random.nextDouble() < share) {
        tests.set(test);
      }
    }
    return tests;
  }

  private int aModule() {
    return random.nextInt(traits.healthy() / MODULE) * MODULE;
  }

  private BitSet someOfAModule(int most) {
    int module = aModule();
    var tests = new BitSet();
    for (int i = random.nextInt(most); i >= 0; i--) {
      tests.set(module + random.nextInt(MODULE));
    }
    return tests;
  }

  /** The next upload in time. */
  Upload next() {
    Due due = nextDue();
    BitSet flaked = flakes();
    var failed = (BitSet) flaked.clone();
    failed.or(due.broken);
    failed.or(due.own);
    failForNoReason(due.hour, failed);
    if (!failed.isEmpty() && due.retries < MOST_RETRIES && random.nextDouble() < traits.retry()) {
      double later = due.hour + RETRY_DELAY * (0.5 + random.nextDouble());
      retries.add(
          new Due(later, due.main, due.branch, due.commit, due.broken, due.own, due.retries + 1));
    }
    return new Upload(
        due.hour, due.main, due.retries == 0, due.branch, due.commit, failed, flaked, due.own);
  }

  private BitSet flakes() {
    var failed = new BitSet();
    Flakes flakes = traits.flakes();
    int test = traits.healthy();
    for (int i = 0; i < flakes.tests(); i++, test++) {
      failed.set(test, random.nextDouble() < rates[test]);
    }
    for (int i = 0; i < flakes.groups(); i++, test += Flakes.GROUP) {
      failed.set(test, test + Flakes.GROUP, random.nextDouble() < rates[test]);
    }
    if (flakes.recorded().tests() > 0) {
      int from = test;
      List<BitSet> runs = flakes.recorded().runs();
      runs.get(recordedRun++ % runs.size()).stream().forEach(i -> failed.set(from + i));
    }
    return failed;
  }

  /** The tests that are broken on the stable branch at some hour. */
  private BitSet brokenAt(double hour) {
    var broken = new BitSet();
    regressions.stream().filter(r -> r.isActive(hour)).forEach(r -> broken.or(r.tests));
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
    if (random.nextDouble() < traits.troubles().lostShards()) {
      int shard = Math.max(1, rates.length / 20);
      int from = random.nextInt(20) * shard;
      failed.set(from, Math.min(rates.length, from + shard));
    }
  }

  private Due nextDue() {
    double nextMain = main.get(Math.min(mainCommits, main.size() - 1));
    Optional<Due> retry =
        retries.stream()
            .min(Comparator.comparingDouble(Due::hour))
            .filter(due -> due.hour <= Math.min(nextMain, nextPullRequest));
    if (retry.isPresent()) {
      retries.remove(retry.get());
      return retry.get();
    }
    if (nextMain <= nextPullRequest) {
      String commit = mainCommit(mainCommits++);
      return new Due(nextMain, true, "main", commit, brokenAt(nextMain), new BitSet(), 0);
    }
    double hour = nextPullRequest;
    nextPullRequest += wait(traits.pullRequestsPerHour());
    return pushed(hour);
  }

  /** A new commit of a new or of an open pull request. */
  private Due pushed(double hour) {
    int number;
    boolean isNew = open.isEmpty() || random.nextDouble() < LAST_COMMIT;
    if (isNew) {
      number = pullRequests.size();
      pullRequests.add(new PullRequest());
      open.add(number);
    } else {
      number = open.get(random.nextInt(open.size()));
    }
    PullRequest pr = pullRequests.get(number);
    if (isNew || random.nextDouble() < traits.troubles().rebased()) {
      pr.base = hour;
    }
    if (!pr.broken.isEmpty() && random.nextDouble() < NEXT_COMMIT_MENDS) {
      pr.broken = new BitSet();
    } else if (random.nextDouble() < traits.troubles().ownBreaks()) {
      pr.broken = someOfAModule(8);
    }
    pr.commits++;
    if (random.nextDouble() < LAST_COMMIT) {
      open.remove(Integer.valueOf(number));
    }
    String commit = "p" + number + "-" + pr.commits;
    return new Due(hour, false, "feature/" + number, commit, brokenAt(pr.base), pr.broken, 0);
  }
}
