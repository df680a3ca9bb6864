package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Something that happened to a queue. Events name the run, the landing or the head commit they
 * speak of, so that one which comes late, twice or out of order is recognised and ignored.
 */
public sealed interface QueueEvent {
  /**
   * A pull request was submitted, with what the forge says about it (nothing where no forge is
   * connected) and the targets set for its head commit before. While it is in the queue, this
   * changes its priority and whether it may be batched.
   */
  record Submitted(
      PullRequestRef pr,
      Priority priority,
      boolean noBatch,
      Optional<PullRequestSnapshot> snapshot,
      Optional<ImpactedTargets> targets)
      implements QueueEvent {}

  /** Somebody took the pull request out of the queue. */
  record Cancelled(PullRequestRef pr) implements QueueEvent {}

  /** Somebody asked for the pull request's tests to be run again. */
  record RestartRequested(PullRequestRef pr) implements QueueEvent {}

  /** The forge showed the pull request as it is now. */
  record SnapshotTaken(PullRequestRef pr, PullRequestSnapshot snapshot) implements QueueEvent {}

  /** The impacted targets of one head commit became known. */
  record ImpactedTargetsSet(PullRequestRef pr, CommitSha head, ImpactedTargets targets)
      implements QueueEvent {}

  /**
   * The test branch of a run is there; its last commit is the one CI tests. Some of the tested may
   * bring nothing: all they change is in what the branch holds before them.
   */
  record TestBranchBuilt(RunId run, CommitSha commit, List<PullRequestRef> bringNothing)
      implements QueueEvent {
    public TestBranchBuilt {
      bringNothing = List.copyOf(bringNothing);
    }

    /** A branch to which each of the tested brings something. */
    public TestBranchBuilt(RunId run, CommitSha commit) {
      this(run, commit, List.of());
    }
  }

  /**
   * The test branch could not be built because this pull request does not merge: with the target
   * branch itself, or only with what the run puts before it.
   */
  record TestBranchConflicted(RunId run, PullRequestRef pr, boolean withTarget)
      implements QueueEvent {}

  /** The test branch could not be built for a reason that lies with the forge. */
  record TestBranchNotBuilt(RunId run, String sentence) implements QueueEvent {}

  /** CI said how one status of a run stands. */
  record StatusReported(RunId run, String name, CheckState state) implements QueueEvent {}

  /** Tests failed in results of a run, which test health has read. */
  record TestsFailed(RunId run, int failed, List<FailingTest> tests) implements QueueEvent {
    public TestsFailed {
      tests = List.copyOf(tests);
    }
  }

  /** Nobody has sent results of this run, but those of others came: they are waited for. */
  record ResultsExpected(RunId run, Instant until) implements QueueEvent {}

  /** It is known that CI will not start on this run. */
  record CiNeverStarted(RunId run) implements QueueEvent {}

  /**
   * A landing is over. What merged is named in order, each with the commit that the target branch
   * then ended in; where that is not everything, the problem says why.
   */
  record LandingEnded(LandingId landing, List<Landed> landed, Optional<LandingProblem> problem)
      implements QueueEvent {
    public LandingEnded {
      landed = List.copyOf(landed);
    }
  }

  /** One pull request merged, after which the target branch ended in this commit. */
  record Landed(PullRequestRef pr, CommitSha targetHead, Optional<LandedHow> how) {
    /** Landed by the queue, as it was tested. */
    public Landed(PullRequestRef pr, CommitSha targetHead) {
      this(pr, targetHead, Optional.empty());
    }
  }

  /**
   * The target branch went from one commit to another. Our own landings may be told this way too:
   * they are recognised. Where the targets of the change are known, they are named.
   */
  record TargetMoved(Optional<CommitSha> from, CommitSha to, Optional<ImpactedTargets> touched)
      implements QueueEvent {}

  /** The repository has the target branch, or it has no branch of this name. */
  record TargetBranchSeen(boolean there) implements QueueEvent {}

  /** Users changed the settings. Another mode waits until the queue is empty. */
  record SettingsChanged(QueueSettings settings) implements QueueEvent {}

  /** Users asked for RUNNING, PAUSED or DRAINING. */
  record LifecycleRequested(QueueLifecycle lifecycle) implements QueueEvent {
    public LifecycleRequested {
      if (lifecycle == QueueLifecycle.SWITCHING_MODES) {
        throw new IllegalArgumentException("Change the mode setting to switch modes");
      }
    }
  }

  /** The forge offers something else for this repository than before. */
  record ConnectionChanged(Connection connection) implements QueueEvent {}

  /** Nothing has moved for longer than usual. */
  record Stalled(Stall stall) implements QueueEvent {}

  /** Nothing but time passed. */
  record TimePassed() implements QueueEvent {}
}
