package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.Origin;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Tells what happened to a test, in times before noon of one day. */
final class Past {
  static final Instant NOON = Instant.parse("2026-03-10T12:00:00Z");

  private static final String JOB = "test";

  private long uploads;
  private final List<BranchHour> hours = new ArrayList<>();
  private final List<SplitCommit> splits = new ArrayList<>();
  private final List<RecentRun> runs = new ArrayList<>();

  /**
   * One letter for each commit of main, an hour apart, the last an hour ago; P passed, F failed.
   */
  static Past main(String outcomes) {
    var past = new Past();
    for (int i = 0; i < outcomes.length(); i++) {
      Instant at = hoursAgo(outcomes.length() - i);
      past.run("c" + i, at, outcomes.charAt(i) == 'F');
    }
    return past;
  }

  static Instant daysAgo(double days) {
    return NOON.minusMillis((long) (days * 86_400_000));
  }

  static Instant hoursAgo(double hours) {
    return NOON.minusMillis((long) (hours * 3_600_000));
  }

  static Monitor monitor(String name, MonitorRule rule) {
    return new Monitor(
        new MonitorId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))),
        name,
        true,
        rule);
  }

  Past split(String commit, String branch, Instant at) {
    return split(commit, branch, at, 1);
  }

  Past split(String commit, String branch, Instant at, int splitTogether) {
    splits.add(new SplitCommit(commit, JOB, branch, 1, 1, at, splitTogether));
    return this;
  }

  /** Runs in the clock hour that began so many hours before noon, the last failure at its start. */
  Past ran(String branch, int hoursAgo, int passes, int failures) {
    return ran(stable(branch), hoursAgo, passes, failures, 0);
  }

  /** The same of another origin; some of the failures passed on retry. */
  Past ran(Origin origin, int hoursAgo, int passes, int failures, int retried) {
    Instant hour = NOON.minus(Duration.ofHours(hoursAgo));
    hours.add(
        new BranchHour(
            origin,
            hour,
            passes,
            failures,
            retried,
            failures > 0 ? Optional.of(hour) : Optional.empty()));
    return this;
  }

  static Origin stable(String branch) {
    return Origin.of(branch, BranchClass.STABLE, List.of());
  }

  static Origin pullRequest(String branch, Integer... numbers) {
    return Origin.of(branch, BranchClass.PULL_REQUEST, List.of(numbers));
  }

  Past failedAt(String branch, Instant at) {
    Instant hour = at.truncatedTo(ChronoUnit.HOURS);
    hours.add(new BranchHour(stable(branch), hour, 0, 1, 0, Optional.of(at)));
    return this;
  }

  /** One run on main, told both by itself and in its hour. */
  Past run(String commit, Instant at, boolean failed) {
    return run("main", BranchClass.STABLE, commit, at, failed, 1, 1000);
  }

  Past run(
      String branch,
      BranchClass branchClass,
      String commit,
      Instant at,
      boolean failed,
      int failedTogether,
      int ranTogether) {
    Origin origin = Origin.of(branch, branchClass, List.of());
    return run(origin, commit, JOB, ++uploads, at, failed, failedTogether, ranTogether);
  }

  /** One run on main in a job; runs of one upload are of cases that share the test's identity. */
  Past run(String commit, String job, long upload, Instant at, boolean failed) {
    return run(stable("main"), commit, job, upload, at, failed, 1, 1000);
  }

  Past run(
      Origin origin,
      String commit,
      String job,
      long upload,
      Instant at,
      boolean failed,
      int failedTogether,
      int ranTogether) {
    if (failed || origin.branchClass() != BranchClass.PULL_REQUEST) {
      runs.add(
          new RecentRun(
              at, origin, commit, job, upload, failed, 1, true, failedTogether, ranTogether));
    }
    hours.add(
        new BranchHour(
            origin,
            at.truncatedTo(ChronoUnit.HOURS),
            failed ? 0 : 1,
            failed ? 1 : 0,
            0,
            failed ? Optional.of(at) : Optional.empty()));
    return this;
  }

  TestHistory history() {
    return new TestHistory(hours, splits, runs);
  }

  Judgement judge(MonitorRule rule) {
    return judge(NOON, monitor("m", rule));
  }

  Judgement judge(Instant now, Monitor... monitors) {
    return judge(Standing.unflagged(daysAgo(100)), now, monitors);
  }

  Judgement judge(Standing before, Instant now, Monitor... monitors) {
    return Judgement.of(history(), List.of(monitors), Map.of(), before, now);
  }
}
