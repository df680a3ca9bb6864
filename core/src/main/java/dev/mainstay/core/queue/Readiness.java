package dev.mainstay.core.queue;

import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Who may come in: an open pull request whose base branch is the queue's, which merges with it, for
 * whose head commit the targets are known in parallel mode, and for which something says what must
 * pass. Only a running queue lets anybody in.
 */
public final class Readiness {
  private Readiness() {}

  static Step letIn(QueueState state, Instant now) {
    var draft = new Draft(state, now);
    for (Entry entry : state.entries().values()) {
      if (entry.is(PullRequestState.NOT_READY)) {
        letIn(draft, entry, waitingFor(entry, state));
      }
    }
    return draft.done();
  }

  private static void letIn(Draft draft, Entry entry, List<Reason> unmet) {
    if (unmet.isEmpty()) {
      var admission = entry.head().map(head -> new Admission(head, draft.now));
      var why = new Reason(ReasonCode.READY, "It is ready and waits for a free slot.");
      draft.move(entry.admitted(admission), PullRequestState.PENDING, why);
    } else if (!entry.reason().equals(unmet.getFirst())) {
      draft.put(entry.because(unmet.getFirst()));
    }
  }

  /** All that keeps a pull request out of the queue, the most important first. */
  public static List<Reason> waitingFor(Entry entry, QueueState state) {
    var unmet = new ArrayList<>(lost(entry, state));
    unknown(entry, state).ifPresent(unmet::add);
    if (!state.lifecycle().letsIn()) {
      unmet.add(new Reason(ReasonCode.QUEUE_NOT_RUNNING, closed(state.lifecycle())));
    }
    return unmet;
  }

  /** What takes one that waits out of the queue again. */
  static List<Reason> lost(Entry entry, QueueState state) {
    var lost = new ArrayList<Reason>();
    if (!state.connection().connected()) {
      lost.add(new Reason(ReasonCode.NO_FORGE, "Connect a forge to this repository."));
    }
    if (state.requiredStatuses().isEmpty()) {
      lost.add(
          new Reason(
              ReasonCode.NO_REQUIRED_STATUSES,
              "Nothing says what must pass: set requiredStatuses, protect the branch, or give the"
                  + " repository a test command."));
    }
    lost.addAll(barring(entry, state));
    if (entry.mergeability() == Mergeability.NOT_MERGEABLE && !conflicts(entry)) {
      lost.add(conflict(state));
    }
    return lost;
  }

  /** What takes even one under test out of the queue again. */
  static List<Reason> barring(Entry entry, QueueState state) {
    var lost = new ArrayList<Reason>();
    Optional<PullRequestSnapshot> snapshot = entry.snapshot();
    String branch = state.target().branch();
    if (snapshot.filter(s -> s.status() == Status.DRAFT).isPresent()) {
      lost.add(new Reason(ReasonCode.CONVERTED_TO_DRAFT, "It is a draft."));
    }
    snapshot
        .map(PullRequestSnapshot::baseBranch)
        .filter(base -> !base.equals(branch))
        .map(base -> "Its base branch is %s, not %s.".formatted(base, branch))
        .ifPresent(sentence -> lost.add(new Reason(ReasonCode.BASE_CHANGED, sentence)));
    if (conflicts(entry)) {
      lost.add(conflict(state));
    }
    if (state.settings().isParallel() && snapshot.isPresent() && entry.knownTargets().isEmpty()) {
      lost.add(
          new Reason(
              ReasonCode.IMPACTED_TARGETS_MISSING,
              "The impacted targets of its head commit are not set."));
    }
    return lost;
  }

  private static boolean conflicts(Entry entry) {
    return entry.conflictedHead().isPresent() && entry.conflictedHead().equals(entry.head());
  }

  private static Reason conflict(QueueState state) {
    String branch = state.target().branch();
    return new Reason(
        ReasonCode.MERGE_CONFLICT, "It conflicts with " + branch + ": resolve that and push.");
  }

  private static Optional<Reason> unknown(Entry entry, QueueState state) {
    boolean answered =
        entry.mergeability() == Mergeability.MERGEABLE
            || entry.mergeability() == Mergeability.NOT_MERGEABLE;
    if (!state.connection().connected() || (answered && state.target().head().isPresent())) {
      return Optional.empty();
    }
    String branch = state.target().branch();
    return Optional.of(
        new Reason(
            ReasonCode.MERGEABILITY_UNKNOWN,
            "The forge has not said yet whether it merges with " + branch + "."));
  }

  private static String closed(QueueLifecycle lifecycle) {
    return switch (lifecycle) {
      case RUNNING -> "The queue is running.";
      case PAUSED -> "The queue is paused.";
      case DRAINING -> "The queue is draining.";
      case SWITCHING_MODES -> "The queue is switching modes.";
    };
  }
}
