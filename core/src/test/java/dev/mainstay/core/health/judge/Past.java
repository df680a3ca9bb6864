package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.Standing;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
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

  private final List<BranchHour> hours = new ArrayList<>();
  private final List<SplitCommit> splits = new ArrayList<>();
  private final List<RecentRun> runs = new ArrayList<>();

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
    splits.add(new SplitCommit(commit, branch, 1, 1, at, splitTogether));
    return this;
  }

  /** Runs in the clock hour that began so many hours before noon, the last failure at its start. */
  Past ran(String branch, int hoursAgo, int passes, int failures) {
    Instant hour = NOON.minus(Duration.ofHours(hoursAgo));
    hours.add(
        new BranchHour(
            branch,
            BranchClass.STABLE,
            hour,
            passes,
            failures,
            failures > 0 ? Optional.of(hour) : Optional.empty()));
    return this;
  }

  Past failedAt(String branch, Instant at) {
    Instant hour = at.truncatedTo(ChronoUnit.HOURS);
    hours.add(new BranchHour(branch, BranchClass.STABLE, hour, 0, 1, Optional.of(at)));
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
    if (failed || branchClass == BranchClass.STABLE || branchClass == BranchClass.MERGE_QUEUE) {
      runs.add(
          new RecentRun(at, branch, branchClass, commit, failed, 1, failedTogether, ranTogether));
    }
    hours.add(
        new BranchHour(
            branch,
            branchClass,
            at.truncatedTo(ChronoUnit.HOURS),
            failed ? 0 : 1,
            failed ? 1 : 0,
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
