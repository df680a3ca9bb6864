package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import java.time.Instant;
import java.util.Optional;

/**
 * A pull request in the queue, from its submission to its end.
 *
 * <p>{@code admission} is there while it is let in. {@code companions} names the part of a failed
 * batch it was cleared with: those are tested together again and with nobody else. {@code
 * earlyTargets} were told for a head commit that the forge has not shown yet. {@code
 * conflictedHead} is a head commit that was found not to merge with the target branch. {@code
 * leaving} is where it must go and why, until it is gone.
 */
public record Entry(
    EntryId id,
    PullRequestRef pr,
    Priority priority,
    boolean noBatch,
    Optional<PullRequestSnapshot> snapshot,
    Optional<HeadTargets> targets,
    PullRequestState state,
    Reason reason,
    Instant stateChangedAt,
    Instant submittedAt,
    Optional<Admission> admission,
    Optional<GroupId> companions,
    Optional<CommitSha> conflictedHead,
    Optional<Departure> leaving,
    Optional<HeadTargets> earlyTargets) {

  /** A pull request as it is submitted. */
  public static Entry submitted(
      EntryId id, QueueEvent.Submitted event, Reason reason, Instant now) {
    return new Entry(
        id,
        event.pr(),
        event.priority(),
        event.noBatch(),
        event.snapshot(),
        Optional.empty(),
        PullRequestState.NOT_READY,
        reason,
        now,
        now,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  /** The head commit the forge showed last. */
  public Optional<CommitSha> head() {
    return snapshot.map(PullRequestSnapshot::head);
  }

  /** The head commit with which it was let in. */
  public Optional<CommitSha> admittedHead() {
    return admission.map(Admission::head);
  }

  /** The impacted targets, where they are known for the present head commit. */
  public Optional<ImpactedTargets> knownTargets() {
    return targets.filter(t -> head().equals(Optional.of(t.head()))).map(HeadTargets::targets);
  }

  /** The last word on a merge of the pull request with the target branch itself. */
  public Mergeability mergeability() {
    if (conflictedHead.isPresent() && conflictedHead.equals(head())) {
      return Mergeability.NOT_MERGEABLE;
    }
    return snapshot.map(PullRequestSnapshot::mergeability).orElse(Mergeability.UNSPECIFIED);
  }

  public boolean is(PullRequestState wanted) {
    return state == wanted;
  }

  public Entry in(PullRequestState next, Reason why, Instant at) {
    Edit edit = edit();
    edit.state = next;
    edit.reason = why;
    edit.stateChangedAt = state == next ? stateChangedAt : at;
    return edit.done();
  }

  public Entry because(Reason why) {
    Edit edit = edit();
    edit.reason = why;
    return edit.done();
  }

  public Entry with(Priority wanted, boolean alone) {
    Edit edit = edit();
    edit.priority = wanted;
    edit.noBatch = alone;
    return edit.done();
  }

  /** Shown by the forge: targets that were told for this head before count from now on. */
  public Entry seen(PullRequestSnapshot newer) {
    Edit edit = edit();
    edit.snapshot = Optional.of(newer);
    if (earlyTargets.filter(t -> t.head().equals(newer.head())).isPresent()) {
      edit.targets = earlyTargets;
      edit.earlyTargets = Optional.empty();
    }
    return edit.done();
  }

  public Entry touching(HeadTargets known) {
    Edit edit = edit();
    edit.targets = Optional.of(known);
    return edit.done();
  }

  public Entry touchingLater(HeadTargets told) {
    Edit edit = edit();
    edit.earlyTargets = Optional.of(told);
    return edit.done();
  }

  public Entry admitted(Optional<Admission> admission) {
    Edit edit = edit();
    edit.admission = admission;
    return edit.done();
  }

  public Entry clearedWith(Optional<GroupId> group) {
    Edit edit = edit();
    edit.companions = group;
    return edit.done();
  }

  public Entry conflictingAt(CommitSha head) {
    Edit edit = edit();
    edit.conflictedHead = Optional.of(head);
    return edit.done();
  }

  public Entry leaving(Optional<Departure> departure) {
    Edit edit = edit();
    edit.leaving = departure;
    return edit.done();
  }

  private Edit edit() {
    return new Edit(this);
  }

  private static final class Edit {
    private final Entry before;
    private Priority priority;
    private boolean noBatch;
    private Optional<PullRequestSnapshot> snapshot;
    private Optional<HeadTargets> targets;
    private PullRequestState state;
    private Reason reason;
    private Instant stateChangedAt;
    private Optional<Admission> admission;
    private Optional<GroupId> companions;
    private Optional<CommitSha> conflictedHead;
    private Optional<Departure> leaving;
    private Optional<HeadTargets> earlyTargets;

    private Edit(Entry e) {
      before = e;
      priority = e.priority;
      noBatch = e.noBatch;
      snapshot = e.snapshot;
      targets = e.targets;
      state = e.state;
      reason = e.reason;
      stateChangedAt = e.stateChangedAt;
      admission = e.admission;
      companions = e.companions;
      conflictedHead = e.conflictedHead;
      leaving = e.leaving;
      earlyTargets = e.earlyTargets;
    }

    private Entry done() {
      return new Entry(
          before.id,
          before.pr,
          priority,
          noBatch,
          snapshot,
          targets,
          state,
          reason,
          stateChangedAt,
          before.submittedAt,
          admission,
          companions,
          conflictedHead,
          leaving,
          earlyTargets);
    }
  }
}
