package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent.StatusReported;
import dev.mainstay.core.queue.QueueEvent.TestBranchBuilt;
import dev.mainstay.core.queue.QueueEvent.TestBranchConflicted;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunResults;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Facts about a test run. A run that is over or no longer wanted hears nothing more. Where the
 * forge could not build the test branch, it is asked again after a while: its outage fails nobody.
 */
final class RunReports {
  static final Duration REST = Duration.ofMinutes(1);

  private RunReports() {}

  /** A run and the group that it tests. */
  private record Tested(Group group, Run run) {
    boolean isGuess() {
      return group.guesses().contains(run);
    }
  }

  static void built(NextState next, QueueState before, TestBranchBuilt event) {
    unbuilt(before, event.run()).ifPresent(t -> built(next, t, event));
    tested(before, event.run())
        .filter(t -> isNews(t.run(), event))
        .ifPresent(t -> next.put(t.group().with(t.run().bringing(event.bringNothing()))));
  }

  /** CI may have spoken of the test branch before we did: then the rest of the news comes later. */
  private static boolean isNews(Run run, TestBranchBuilt event) {
    return run.commit().equals(Optional.of(event.commit()))
        && run.bringNothing().isEmpty()
        && !event.bringNothing().isEmpty();
  }

  private static void built(NextState next, Tested tested, TestBranchBuilt event) {
    next.moved();
    if (tested.group().aside()) {
      Conflicts.mergesNow(next, tested.group());
    } else {
      Run built = tested.run().built(event.commit(), event.bringNothing(), next.now);
      next.put(tested.group().with(built));
    }
  }

  static void told(NextState next, QueueState before, StatusReported event) {
    inProgress(before, event.run()).ifPresent(t -> told(next, t, event));
  }

  private static void told(NextState next, Tested tested, StatusReported event) {
    Run run = tested.run().told(event.name(), event.state());
    if (!run.equals(tested.run())) {
      Lessons.took(next, run);
      next.put(tested.group().with(run));
      next.moved();
      next.doubt = run.succeeded() ? next.doubt.passed(next.wantedRuns()) : next.doubt;
    }
  }

  /** Results of a run that has not passed; the latest count. */
  static void resultsCame(NextState next, QueueState before, RunId run, RunResults results) {
    tested(before, run)
        .filter(t -> !t.run().succeeded())
        .ifPresent(t -> next.put(t.group().with(t.run().with(results))));
  }

  /** The first word on how long results are waited for stays. */
  static void expected(NextState next, QueueState before, RunId run, Instant until) {
    inProgress(before, run)
        .filter(t -> t.run().results().isEmpty())
        .ifPresent(t -> next.put(t.group().with(t.run().with(RunResults.awaited(until)))));
  }

  static void neverStarted(NextState next, QueueState before, RunId run) {
    var why = new Reason(ReasonCode.CI_NEVER_STARTED, "CI never started on the test branch.");
    inProgress(before, run)
        .filter(t -> !t.run().heard())
        .ifPresent(t -> next.put(t.group().with(t.run().failed(why))));
  }

  /** A guess whose branch is not to be had is given up: no one waits for it. */
  static void notBuilt(NextState next, QueueState before, RunId run, String sentence) {
    var why = new Reason(ReasonCode.FORGE_UNAVAILABLE, sentence);
    unbuilt(before, run)
        .ifPresent(
            t -> {
              if (t.isGuess()) {
                next.put(t.group().with(t.run().failed(why)));
              } else {
                rest(next, t.group(), why);
              }
            });
  }

  static void rest(NextState next, Group group, Reason why) {
    next.retestInPlace(group, why, next.now.plus(REST));
    group.pullRequests().forEach(pr -> next.act(new QueueAction.TakeSnapshot(next.nextId(), pr)));
  }

  static void conflicted(NextState next, QueueState before, TestBranchConflicted event) {
    unbuilt(before, event.run()).ifPresent(t -> conflicted(next, t, event));
  }

  private static void conflicted(NextState next, Tested tested, TestBranchConflicted event) {
    Group group = tested.group();
    boolean first = tested.run().lands().isEmpty();
    if (event.withTarget() || (first && group.members().getFirst().pr().equals(event.pr()))) {
      next.entry(event.pr())
          .flatMap(e -> e.admittedHead().map(e::conflictingAt))
          .ifPresent(next::put);
      return;
    }
    if (group.half().isEmpty() && !tested.isGuess()) {
      Conflicts.found(next, group, event.pr());
      return;
    }
    String sentence = event.pr() + " conflicts with another one of its test branch.";
    var why = new Reason(ReasonCode.MERGE_CONFLICT, sentence);
    next.put(group.with(tested.run().failed(why)));
  }

  /** In place: no position changes, and nobody else is tested again. Flakes are counted anew. */
  static void restarted(NextState next, Optional<Group> group) {
    var why = new Reason(ReasonCode.RESTARTED, "Its tests were restarted.");
    group
        .filter(g -> g.run().isPresent() && !next.isLanding(g))
        .ifPresent(g -> next.retest(g.unretried(), why, true));
  }

  private static Optional<Tested> tested(QueueState state, RunId run) {
    return state.groupOf(run).flatMap(g -> g.run(run).map(r -> new Tested(g, r)));
  }

  private static Optional<Tested> inProgress(QueueState state, RunId run) {
    return tested(state, run).filter(t -> t.run().isInProgress());
  }

  private static Optional<Tested> unbuilt(QueueState state, RunId run) {
    return inProgress(state, run).filter(t -> t.run().builtAt().isEmpty());
  }
}
