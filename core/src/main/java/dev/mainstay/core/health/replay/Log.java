package dev.mainstay.core.health.replay;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.Origin;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.replay.MadeUpRepository.Upload;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The log of all uploads, as a server would keep it, and the history of a test out of it. */
final class Log {
  private static final Instant BEGINNING = Instant.parse("2026-01-05T00:00:00Z");
  private static final double LONGEST = 30 * 24;
  private static final String JOB = "test";
  private static final Origin MAIN = Origin.of("main", BranchClass.STABLE, Set.of());

  /** All pull requests together. */
  private static final Origin OTHERS = new Origin("others", BranchClass.PULL_REQUEST, Set.of());

  private final int tests;
  private final List<Upload> uploads = new ArrayList<>();
  private final List<Upload> onMain = new ArrayList<>();
  private final Map<String, Integer> uploadsOf = new HashMap<>();
  private final Map<String, BitSet> failedOn = new HashMap<>();
  private final Map<String, BitSet> passedOn = new HashMap<>();
  private final List<List<Upload>> failuresOf = new ArrayList<>();
  private final Map<Integer, Double> firstFlake = new HashMap<>();
  private final Map<Integer, Integer> flakes = new HashMap<>();
  private final List<int[]> hours = new ArrayList<>();

  Log(int tests) {
    this.tests = tests;
    for (int i = 0; i < tests; i++) {
      failuresOf.add(new ArrayList<>());
    }
  }

  static Instant at(double hour) {
    return BEGINNING.plusMillis((long) (hour * 3_600_000));
  }

  void add(Upload upload) {
    uploads.add(upload);
    if (upload.main()) {
      onMain.add(upload);
    }
    uploadsOf.merge(upload.commit(), 1, Integer::sum);
    failedOn.computeIfAbsent(upload.commit(), c -> new BitSet()).or(upload.failed());
    var passed = new BitSet();
    passed.set(0, tests);
    passed.andNot(upload.failed());
    passedOn.computeIfAbsent(upload.commit(), c -> new BitSet()).or(passed);
    upload.flaked().stream().forEach(test -> firstFlake.putIfAbsent(test, upload.hour()));
    upload.flaked().stream().forEach(test -> flakes.merge(test, 1, Integer::sum));
    upload.failed().stream().forEach(test -> failuresOf.get(test).add(upload));
    while (hours.size() <= upload.hour()) {
      hours.add(new int[2]);
    }
    hours.get((int) upload.hour())[upload.main() ? 0 : 1]++;
  }

  int uploads() {
    return uploads.size();
  }

  int failures(int test) {
    return failuresOf.get(test).size();
  }

  /** The hour at which a flaky test first failed for no reason. */
  Optional<Double> firstFlake(int test) {
    return Optional.ofNullable(firstFlake.get(test));
  }

  /** How often a test failed for no reason. */
  int flakes(int test) {
    return flakes.getOrDefault(test, 0);
  }

  boolean failedSince(int test, double hour) {
    List<Upload> failures = failuresOf.get(test);
    return !failures.isEmpty() && failures.getLast().hour() > hour;
  }

  /** The code a test failed on, without a pass beside it. */
  record Failures(int stableCommits, int pullRequests) {
    /** As many of both, or more. */
    boolean cover(Failures other) {
      return stableCommits >= other.stableCommits && pullRequests >= other.pullRequests;
    }
  }

  /** Where a test failed; nowhere to be compared with where the same code went both ways. */
  Optional<Failures> failuresAt(int test) {
    var commits = new HashSet<String>();
    var pullRequests = new HashSet<String>();
    for (Upload upload : failuresOf.get(test)) {
      if (passedOn.getOrDefault(upload.commit(), new BitSet()).get(test)) {
        return Optional.empty();
      }
      if (upload.main()) {
        commits.add(upload.commit());
      } else {
        pullRequests.add(upload.branch());
      }
    }
    return Optional.of(new Failures(commits.size(), pullRequests.size()));
  }

  int targetRuns() {
    return onMain.size();
  }

  /** Runs of the stable branch in which a test failed, from one hour to another, both included. */
  int failuresOnTarget(int test, double from, double to) {
    return (int)
        failuresOf.get(test).stream()
            .filter(u -> u.main() && u.hour() >= from && u.hour() <= to)
            .count();
  }

  TestHistory history(int test, double now) {
    List<Upload> failures =
        failuresOf.get(test).stream().filter(u -> u.hour() > now - LONGEST).toList();
    return new TestHistory(hours(failures, now), splits(failures), runs(test, failures));
  }

  private List<BranchHour> hours(List<Upload> failures, double now) {
    var failed = new HashMap<Integer, int[]>();
    var last = new HashMap<Integer, double[]>();
    for (Upload upload : failures) {
      int side = upload.main() ? 0 : 1;
      failed.computeIfAbsent((int) upload.hour(), h -> new int[2])[side]++;
      last.computeIfAbsent((int) upload.hour(), h -> new double[2])[side] = upload.hour();
    }
    var list = new ArrayList<BranchHour>();
    for (int hour = Math.max(0, (int) (now - LONGEST)); hour < hours.size(); hour++) {
      for (int side = 0; side < 2; side++) {
        int ran = hours.get(hour)[side];
        int failedNow = failed.getOrDefault(hour, new int[2])[side];
        if (ran > 0) {
          list.add(
              new BranchHour(
                  side == 0 ? MAIN : OTHERS,
                  at(hour),
                  ran - failedNow,
                  failedNow,
                  0,
                  failedNow == 0
                      ? Optional.empty()
                      : Optional.of(at(last.getOrDefault(hour, new double[2])[side]))));
        }
      }
    }
    return list;
  }

  /** Retries come within the hour: the last failure is near enough to the first pass. */
  private List<SplitCommit> splits(List<Upload> failures) {
    var splits = new HashMap<String, SplitCommit>();
    var failuresOn = new HashMap<String, Integer>();
    for (Upload upload : failures) {
      int failed = failuresOn.merge(upload.commit(), 1, Integer::sum);
      int passes = uploadsOf.getOrDefault(upload.commit(), 0) - failed;
      splits.put(
          upload.commit(),
          new SplitCommit(
              upload.commit(),
              JOB,
              upload.branch(),
              failed,
              passes,
              at(upload.hour()),
              splitOn(upload.commit())));
    }
    return splits.values().stream().filter(split -> split.passes() > 0).toList();
  }

  /** The number of tests that went both ways on a commit. */
  private int splitOn(String commit) {
    var both = (BitSet) failedOn.getOrDefault(commit, new BitSet()).clone();
    both.and(passedOn.getOrDefault(commit, new BitSet()));
    return both.cardinality();
  }

  private List<RecentRun> runs(int test, List<Upload> failures) {
    var list = new ArrayList<RecentRun>();
    int from = Math.max(0, onMain.size() - TestHistory.MOST_STABLE_RUNS);
    for (Upload upload : onMain.subList(from, onMain.size())) {
      list.add(run(upload, upload.failed().get(test)));
    }
    failures.stream().filter(upload -> !upload.main()).map(u -> run(u, true)).forEach(list::add);
    return list;
  }

  private RecentRun run(Upload upload, boolean failed) {
    return new RecentRun(
        at(upload.hour()),
        upload.main() ? MAIN : Origin.of(upload.branch(), BranchClass.PULL_REQUEST, Set.of()),
        upload.commit(),
        JOB,
        Double.doubleToLongBits(upload.hour()),
        failed,
        1,
        true,
        upload.failed().cardinality(),
        tests);
  }
}
