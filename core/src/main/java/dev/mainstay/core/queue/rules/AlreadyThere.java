package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Departure;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Target;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A pull request is merged, and nothing of it lands, where all it changes is on the target branch
 * already. The forge's look decides that for one that is not under test; for one that is, the test
 * branch does, which adds no commit for it. It is decided against the target branch itself: never
 * while something that the group stands on is open, since that may take away what is there.
 */
final class AlreadyThere {
  private AlreadyThere() {}

  static Step letGo(QueueState state, Instant now) {
    var next = new NextState(state, now);
    for (Group shown : state.line()) {
      Group group = showsAny(shown) ? next.inLine(shown.id()) : shown;
      List<PullRequestRef> there = showsAny(group) ? there(group, state) : List.of();
      if (!there.isEmpty()) {
        Reason why = reason(state.target());
        there.forEach(pr -> next.end(next.member(pr), PullRequestState.MERGED, why));
        goOn(next, group, there);
      }
    }
    return next.done();
  }

  /**
   * The members whose run shows that they bring nothing to the target branch as it is: those behind
   * one that brings something may bring nothing because of that one.
   */
  private static List<PullRequestRef> there(Group group, QueueState state) {
    Run run = group.run().orElseThrow();
    if (!run.exact() || !group.standsOn().isEmpty() || state.isLanding(group.id())) {
      return List.of();
    }
    return group.pullRequests().stream().takeWhile(run.bringNothing()::contains).toList();
  }

  private static boolean showsAny(Group group) {
    return group.run().isPresent() && !group.run().get().bringNothing().isEmpty();
  }

  /** The test branch is the same without them. */
  private static void goOn(NextState next, Group group, List<PullRequestRef> there) {
    List<Change> left = group.members().stream().filter(m -> !there.contains(m.pr())).toList();
    if (left.isEmpty()) {
      next.remove(group);
    } else {
      next.put(group.with(left));
    }
    next.relink(next.line());
    Remains.retestWithout(next, List.of(group.id()));
    Guesses.merged(next, there);
  }

  /** One that the forge showed to be there, and that is not under test. */
  static Optional<Departure> seen(Entry entry, QueueState state) {
    boolean waits = entry.is(PullRequestState.PENDING) || state.groupOf(entry.pr()).isEmpty();
    boolean there = isHeld(entry, state.target()) && waits;
    return there ? Optional.of(merged(state.target())) : Optional.empty();
  }

  /** The target branch, as it is, was seen to hold all that the entry changes. */
  static boolean isHeld(Entry entry, Target target) {
    return mayBe(entry)
        && entry.snapshot().flatMap(PullRequestSnapshot::heldBy).equals(target.head())
        && entry.snapshot().orElseThrow().baseBranch().equals(target.branch());
  }

  /** An entry of which that depends on where the target branch is, and on its group. */
  static boolean mayBe(Entry entry) {
    return entry.snapshot().flatMap(PullRequestSnapshot::heldBy).isPresent();
  }

  private static Departure merged(Target target) {
    return new Departure(PullRequestState.MERGED, reason(target));
  }

  static Reason reason(Target target) {
    String sentence = "All it changes is on " + target.branch() + " already.";
    return new Reason(ReasonCode.MERGED_MANUALLY, sentence);
  }
}
