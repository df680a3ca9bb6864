package dev.mainstay.core.health.judge;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.core.health.MonitorRule.FailureCount;
import dev.mainstay.core.health.MonitorRule.FailureRate;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.core.health.judge.BranchCounts.Sum;
import dev.mainstay.core.health.text.BoundedText;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The sentences people read. Those of a recovery begin with a small letter, since "Recovered:" goes
 * before them, and stay as they are: they tell of the time of the recovery, whatever comes later.
 * Names of commits and branches come from outside: cut short, on one line.
 */
final class Phrases {
  private static final int SHORT_COMMIT = 7;
  private static final int LONGEST_NAME = 60;
  private static final Glob EVERY_BRANCH = new Glob("*");

  private Phrases() {}

  static String splits(List<SplitCommit> latestFirst, int days) {
    SplitCommit last = latestFirst.getFirst();
    return latestFirst.size() == 1
        ? "Failed and passed on the same commit, %s, in the last %s."
            .formatted(place(last.commit(), last.branch()), plural(days, "day"))
        : "Failed and passed on the same commit %d times in the last %s, last on %s."
            .formatted(
                latestFirst.size(), plural(days, "day"), place(last.commit(), last.branch()));
  }

  static String noSplit(int days) {
    return "no commit had both a failure and a pass for %s.".formatted(plural(days, "day"));
  }

  static String rate(Sum sum, FailureRate rule) {
    if (sum.runs() == 0) {
      return "Nothing ran in the last %s%s; before that, too many runs had failed."
          .formatted(plural(rule.windowHours(), "hour"), on(rule.branches()));
    }
    return "Failed in %s of runs (%d of %d) in the last %s%s."
        .formatted(
            percent(sum.rate()),
            sum.failures(),
            sum.runs(),
            plural(rule.windowHours(), "hour"),
            on(rule.branches()));
  }

  static String rateRecovered(Sum sum, FailureRate rule) {
    return "%s of runs%s failed (%d of %d) in the %s before."
        .formatted(
            percent(sum.rate()),
            on(rule.branches()),
            sum.failures(),
            sum.runs(),
            plural(rule.windowHours(), "hour"));
  }

  static String stale(FailureRate rule) {
    return "nothing had run for %s%s."
        .formatted(plural(rule.staleHours(), "hour"), on(rule.branches()));
  }

  static String count(Sum sum, FailureCount rule) {
    return "Failed %s in the last %s%s."
        .formatted(times(sum.failures()), plural(rule.windowHours(), "hour"), on(rule.branches()));
  }

  static String countHolds(FailureCount rule) {
    return "Failed %s or more within %s%s, and again in the last %s."
        .formatted(
            times(rule.count()),
            plural(rule.windowHours(), "hour"),
            on(rule.branches()),
            plural(rule.resolutionHours(), "hour"));
  }

  static String countRecovered(FailureCount rule) {
    return "nothing had failed for %s%s."
        .formatted(plural(rule.resolutionHours(), "hour"), on(rule.branches()));
  }

  static String broken(Flakiness seen) {
    if (seen.brokenNow().isEmpty()) {
      return "Fails for good on %s.".formatted(name(seen.branch()));
    }
    Flakiness.Phase phase = seen.brokenNow().get();
    String since =
        phase
            .commitBefore()
            .map(before -> "since commit %s, the first after %s")
            .orElse("at least since commit %s");
    return "Fails on %s %s: in %d of %s."
        .formatted(
            name(seen.branch()),
            since.formatted(
                commit(phase.firstCommit()), phase.commitBefore().map(Phrases::commit).orElse("")),
            phase.failures(),
            plural(phase.runs(), "run"));
  }

  static String flaky(Flakiness seen, MonitorRule.Bayesian rule) {
    return "Fails now and then, in about %s of runs (%s to %s): %s in the last %d days%s."
        .formatted(
            percent(seen.rate()),
            percent(seen.low()),
            percent(seen.high()),
            signs(seen.signs()),
            rule.lookBack().toDays(),
            seen.signs().inGroups() ? ", mostly together with many other tests" : "");
  }

  private static String signs(Flakiness.Signs seen) {
    var signs = new ArrayList<String>();
    if (seen.splits() > 0) {
      signs.add("both failed and passed on " + plural(seen.splits(), "commit"));
    }
    if (seen.lone() > 0) {
      signs.add("failed alone on " + plural(seen.lone(), "stable commit"));
    }
    if (seen.elsewhere() > 0) {
      signs.add("failed on " + plural(seen.elsewhere(), "unrelated pull request"));
    }
    return signs.isEmpty() ? "too few failures to tell why" : String.join(" and ", signs);
  }

  static String calm(Flakiness seen, MonitorRule.Bayesian rule, Optional<MonitorState> was) {
    boolean wasBroken = was.isPresent() && was.get().status() == TestStatus.BROKEN;
    if (wasBroken && seen.phases().size() > 1) {
      Flakiness.Phase phase = seen.phases().getLast();
      return "passes again on %s since commit %s."
          .formatted(name(seen.branch()), commit(phase.firstCommit()));
    }
    return seen.signs()
        .last()
        .map(
            last ->
                "its last failure without a reason in the code was on %s, and %s had passed since."
                    .formatted(
                        last.atZone(ZoneOffset.UTC).toLocalDate(),
                        plural(seen.signs().passesSince(), "run")))
        .orElseGet(
            () ->
                "no failure without a reason in the code for %d days."
                    .formatted(rule.lookBack().toDays()));
  }

  static String muted(String monitor, Instant until, String sentence) {
    return "The monitor \"%s\" is muted for this test until %s; it saw: %s"
        .formatted(name(monitor), until.truncatedTo(ChronoUnit.SECONDS), sentence);
  }

  static String place(String commit, String branch) {
    return branch.isEmpty() ? commit(commit) : commit(commit) + " (" + name(branch) + ")";
  }

  static String commit(String commit) {
    return name(commit.matches("[0-9a-fA-F]{8,64}") ? commit.substring(0, SHORT_COMMIT) : commit);
  }

  static String percent(double share) {
    double percent = share * 100;
    if (percent > 0 && percent < 0.01) {
      return "under 0.01 %";
    }
    int digits =
        percent == 0 || percent == 100 || (percent >= 10 && percent <= 99)
            ? 0
            : percent >= 1 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + digits + "f %%", percent);
  }

  static String plural(long count, String noun) {
    return count == 1 ? "1 " + noun : count + " " + noun + "s";
  }

  private static String times(long count) {
    return count == 1 ? "once" : count + " times";
  }

  private static String on(List<Glob> branches) {
    if (branches.isEmpty()) {
      return " on stable branches";
    }
    if (branches.contains(EVERY_BRANCH)) {
      return "";
    }
    return branches.stream()
        .map(glob -> name(glob.pattern()))
        .collect(Collectors.joining(", ", " on ", ""));
  }

  private static String name(String text) {
    String line = BoundedText.oneLine(text);
    return line.length() <= LONGEST_NAME ? line : BoundedText.head(line, LONGEST_NAME - 1) + "…";
  }
}
