package dev.mainstay.core.simulation.past;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.simulation.world.SimulatedChange.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A past written by hand; times are minutes. */
final class Diary {
  private static final Instant BEGIN = Instant.parse("2026-11-09T08:00:00Z");

  private final List<PastChange> changes = new ArrayList<>();
  private final List<PastRun> runs = new ArrayList<>();

  static Instant at(double minute) {
    return BEGIN.plus(Duration.ofSeconds(Math.round(minute * 60)));
  }

  static Change change(int pr) {
    return new Change(new PullRequestRef(pr), new CommitSha("head-" + pr));
  }

  Diary merged(int pr, double from, double to, String... targets) {
    return ended(pr, from, to, PullRequestState.MERGED, ReasonCode.MERGED_BY_QUEUE, targets);
  }

  Diary failed(int pr, double from, double to, String... targets) {
    return ended(pr, from, to, PullRequestState.FAILED, ReasonCode.TEST_FAILED, targets);
  }

  Diary ended(
      int pr,
      double from,
      double to,
      PullRequestState state,
      ReasonCode reason,
      String... targets) {
    changes.add(
        new PastChange(
            change(pr),
            Optional.of(at(from)),
            at(to),
            state,
            reason,
            targets.length == 0 ? Optional.empty() : Optional.of(ImpactedTargets.of(targets)),
            Origin.UNTOLD));
    return this;
  }

  Diary neverLetIn(int pr, double to) {
    changes.add(
        new PastChange(
            change(pr),
            Optional.empty(),
            at(to),
            PullRequestState.MERGED,
            ReasonCode.MERGED_BY_QUEUE,
            Optional.empty(),
            Origin.UNTOLD));
    return this;
  }

  Diary passed(double from, double to, int pr, int... on) {
    return ran(from, to, PastRun.Outcome.PASSED, List.of(pr), on);
  }

  Diary broke(double from, double to, int pr, int... on) {
    return ran(from, to, PastRun.Outcome.FAILED, List.of(pr), on);
  }

  Diary ran(double from, double to, PastRun.Outcome outcome, List<Integer> own, int... on) {
    return run(from, to, outcome, true, own, on);
  }

  Diary unbuildable(double at, int pr, int... on) {
    return run(at, at, PastRun.Outcome.FAILED, false, List.of(pr), on);
  }

  private Diary run(
      double from,
      double to,
      PastRun.Outcome outcome,
      boolean built,
      List<Integer> own,
      int... on) {
    runs.add(
        new PastRun(
            own.stream().map(Diary::change).toList(),
            IntStream.of(on).mapToObj(Diary::change).toList(),
            outcome,
            built,
            at(from),
            at(to)));
    return this;
  }

  PastWorld world() {
    return PastWorld.of(new Past(changes, runs), 1);
  }
}
