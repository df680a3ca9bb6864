package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueSettings.MergeMethod;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something a queue asks to have done. Doing an action twice is harmless: its id stays the same.
 */
public sealed interface QueueAction {
  /** Names this action, the same one each time it is asked for. */
  String id();

  /**
   * Build the test branch (the base, then what the group stands on, then what is tested, in this
   * order) and let CI test it. Those it leaves out are ahead, too, and are assumed not to merge.
   * Answered by TestBranchBuilt, TestBranchConflicted or TestBranchNotBuilt, and by the statuses.
   */
  record StartRun(
      RunId run,
      RunKind kind,
      CommitSha base,
      List<Change> standsOn,
      List<Change> tested,
      List<String> requiredStatuses,
      List<PullRequestRef> leavesOut)
      implements QueueAction {
    public StartRun {
      leavesOut = List.copyOf(leavesOut);
      standsOn = List.copyOf(standsOn);
      tested = List.copyOf(tested);
      requiredStatuses = List.copyOf(requiredStatuses);
    }

    @Override
    public String id() {
      return run + "/start";
    }
  }

  /**
   * The run is over or no longer wanted, as the outcome says: stop it where it is still in
   * progress, and delete its test branch.
   */
  record CancelRun(RunId run, Run.Outcome outcome) implements QueueAction {
    @Override
    public String id() {
      return run + "/cancel";
    }
  }

  /**
   * Merge these changes in order, all of them or none where the forge can, if the target branch is
   * at {@code onto} and each head is what it was. Where {@code exactTree}, the result must have the
   * tree of {@code tested}; without it, disjoint changes have landed since the test. A direct merge
   * names no tested commit. Answered by LandingEnded.
   */
  record Land(
      LandingId landing,
      List<Change> changes,
      CommitSha onto,
      Optional<CommitSha> tested,
      boolean exactTree,
      MergeMethod method)
      implements QueueAction {
    public Land {
      changes = List.copyOf(changes);
    }

    @Override
    public String id() {
      return landing.toString();
    }
  }

  /** Ask the forge how the pull request stands. Answered by SnapshotTaken. */
  record TakeSnapshot(long number, PullRequestRef pr) implements QueueAction {
    @Override
    public String id() {
      return "snapshot-" + number;
    }
  }

  /** Come back with TimePassed at this time, also if nothing else happens. */
  record WakeAt(Instant at) implements QueueAction {
    @Override
    public String id() {
      return "wake-" + at;
    }
  }
}
