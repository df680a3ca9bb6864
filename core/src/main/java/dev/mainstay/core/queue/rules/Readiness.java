package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Conditions;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Looked;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Lets in those who are ready: an open pull request whose base branch is the queue's, which merges
 * with it, in the way of which the forge puts nothing, for whose head commit the targets are known
 * in parallel mode, and for which something says what must pass. Only a running queue lets anybody
 * in.
 */
public record Readiness(Conditions conditions) {

  static Readiness in(QueueState state) {
    return new Readiness(
        new Conditions(
            state.lifecycle(),
            state.target().branch(),
            state.connection().connected(),
            MustPass.statuses(state).isPresent(),
            state.settings().isParallel(),
            state.target().head().isPresent(),
            !state.target().missing()));
  }

  static Step letIn(QueueState state, Instant now) {
    var next = new NextState(state, now);
    Readiness readiness = in(state);
    for (Entry entry :
        state.looked().unseenBy(Looked.Rule.LETTING_IN, readiness.conditions, state.entries())) {
      if (entry.is(PullRequestState.NOT_READY)) {
        letIn(next, entry, readiness.unmet(entry));
      }
    }
    next.seenBy(Looked.Rule.LETTING_IN, readiness.conditions, Set.of());
    return next.done();
  }

  private static void letIn(NextState next, Entry entry, List<Reason> unmet) {
    if (unmet.isEmpty()) {
      var admission =
          entry
              .head()
              .map(
                  head ->
                      new Admission(
                          head, entry.knownTargets().orElse(ImpactedTargets.ALL), next.now));
      var why = new Reason(ReasonCode.READY, "It is ready and waits for a free slot.");
      next.move(entry.admitted(admission), PullRequestState.PENDING, why);
    } else if (!entry.reason().equals(unmet.getFirst())) {
      next.put(entry.because(unmet.getFirst()));
    }
  }

  /** All that keeps a pull request out of the queue, the most important first. */
  public static List<Reason> waitingFor(Entry entry, QueueState state) {
    return in(state).unmet(entry);
  }

  private List<Reason> unmet(Entry entry) {
    List<Reason> unmet = lost(entry);
    boolean answered = conditions.knowsHead() && isKnown(entry.mergeability());
    if (conditions.connected() && !conditions.hasTarget()) {
      String sentence =
          "The repository has no branch "
              + conditions.branch()
              + ": push it, or submit to the queue of another branch.";
      unmet.add(new Reason(ReasonCode.TARGET_BRANCH_MISSING, sentence));
    } else if (conditions.connected() && !answered) {
      String sentence =
          "The forge has not said yet whether it merges with " + conditions.branch() + ".";
      unmet.add(new Reason(ReasonCode.MERGEABILITY_UNKNOWN, sentence));
    }
    if (!conditions.lifecycle().letsIn()) {
      unmet.add(new Reason(ReasonCode.QUEUE_NOT_RUNNING, closed(conditions.lifecycle())));
    }
    return unmet;
  }

  private static boolean isKnown(Mergeability answer) {
    return answer == Mergeability.MERGEABLE || answer == Mergeability.NOT_MERGEABLE;
  }

  /** The reasons that take an entry that waits for a slot out of the queue again. */
  List<Reason> lost(Entry entry) {
    List<Reason> lost = new ArrayList<>();
    if (!conditions.connected()) {
      lost.add(new Reason(ReasonCode.NO_FORGE, "Connect a forge to this repository."));
    }
    if (!conditions.hasMustPass()) {
      String sentence =
          "Nothing says what must pass: set requiredStatuses, protect the branch, or give the"
              + " repository a test command.";
      lost.add(new Reason(ReasonCode.NO_REQUIRED_STATUSES, sentence));
    }
    lost.addAll(barring(entry));
    if (entry.snapshot().filter(PullRequestSnapshot::empty).isPresent()) {
      String sentence = "It changes nothing: push a change to it, or close it.";
      lost.add(new Reason(ReasonCode.NOTHING_TO_MERGE, sentence));
    }
    if (entry.mergeability() == Mergeability.NOT_MERGEABLE && !foundToConflict(entry)) {
      lost.add(conflict());
    }
    return lost;
  }

  /** The reasons that take even an entry under test out of the queue again. */
  List<Reason> barring(Entry entry) {
    List<Reason> barring = new ArrayList<>();
    entry.snapshot().ifPresent(snapshot -> bar(barring, snapshot));
    if (foundToConflict(entry)) {
      barring.add(conflict());
    }
    if (conditions.needsTargets()
        && entry.snapshot().isPresent()
        && entry.knownTargets().isEmpty()) {
      String sentence = "The impacted targets of its head commit are not set.";
      barring.add(new Reason(ReasonCode.IMPACTED_TARGETS_MISSING, sentence));
    }
    return barring;
  }

  private void bar(List<Reason> barring, PullRequestSnapshot snapshot) {
    if (!snapshot.obstacles().isEmpty()) {
      String sentences = String.join(" ", snapshot.obstacles());
      barring.add(new Reason(ReasonCode.FORGE_BLOCKS, sentences));
    }
    if (snapshot.status() == Status.DRAFT) {
      barring.add(new Reason(ReasonCode.CONVERTED_TO_DRAFT, "It is a draft."));
    }
    if (!snapshot.baseBranch().equals(conditions.branch())) {
      String sentence =
          "Its base branch is " + snapshot.baseBranch() + ", not " + conditions.branch() + ".";
      barring.add(new Reason(ReasonCode.BASE_CHANGED, sentence));
    }
  }

  /** The forge may not know it yet, or may never say so: we tried to merge it. */
  private static boolean foundToConflict(Entry entry) {
    return entry.conflictedHead().isPresent() && entry.conflictedHead().equals(entry.head());
  }

  private Reason conflict() {
    String sentence = "It conflicts with " + conditions.branch() + ": resolve that and push.";
    return new Reason(ReasonCode.MERGE_CONFLICT, sentence);
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
