package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * The run of a group that is shown and waited for. Where it is outdated, one on the likeliest
 * assumption takes its place: a guess that is there, or a new run. One that has ended has no slot
 * to pass on; then the group needs a free one, and gets it before those who wait. Where there are
 * fewer slots than there were, nobody begins anew until those under test fit into them.
 */
final class Leads {
  private final NextState next;
  private final QueueState state;
  private long free;

  Leads(NextState next, QueueState state) {
    this.next = next;
    this.state = state;
    free = RunStart.freeSlots(state);
  }

  /** Where slots may not do for all: those in the line take theirs before those who wait. */
  static Step bringUpToDate(QueueState state, Instant now) {
    var next = new NextState(state, now);
    if (state.settings().speculates() && mayDiffer(state) && areSlotsScarce(state)) {
      new Leads(next, state).bringUpToDate();
    }
    return next.done();
  }

  private static boolean areSlotsScarce(QueueState state) {
    long free = RunStart.freeSlots(state);
    if (free <= 0) {
      return false;
    }
    int waiting = state.waiting().size();
    long ended = 0;
    for (Group group : state.line()) {
      ended += group.run().isPresent() && !group.isTesting() ? 1 : 0;
    }
    return ended > 0 && waiting > 0 && free < ended + waiting;
  }

  /** Without a budget it takes a failure for a run to assume anything. */
  static boolean mayDiffer(QueueState state) {
    if (state.settings().speculationBudget() > 0) {
      return true;
    }
    for (Group group : state.line()) {
      if (group.failed() || !group.guesses().isEmpty() || leavesAny(group)) {
        return true;
      }
    }
    return false;
  }

  private static boolean leavesAny(Group group) {
    return group.run().isPresent() && !group.run().get().leaves().isEmpty();
  }

  private void bringUpToDate() {
    Holding holding = Holding.of(next);
    var chances = new Chances(next, holding);
    for (int place = 0; place < state.line().size(); place++) {
      Group group = state.line().get(place);
      int[] held = holding.of(place);
      if (mayChange(group) && held.length > 0) {
        of(Assumption.inOrder(group, held, chances, 1, 0).getFirst(), held, chances);
      }
    }
  }

  boolean mayChange(Group group) {
    return group.run().isPresent() && !group.aside() && !state.isLanding(group.id());
  }

  /** The slots that are left once each group has the run it is to have. */
  long free() {
    return free;
  }

  /** The run of a group: on the likeliest assumption, where the present one is outdated. */
  Run of(Assumption best, int[] held, Chances chances) {
    Group group = best.group();
    Run run = group.run().orElseThrow();
    if (!chances.isVain(run) && (best.isOf(run) || !chances.isUnlikely(run, best.chance(), held))) {
      return run;
    }
    Optional<Run> known =
        group.guesses().stream()
            .filter(g -> best.isOf(g) && !chances.isVain(g) && !isAskedForAnew(g))
            .findFirst();
    boolean fits = free > 0 || (free == 0 && run.isInProgress());
    if (known.isPresent()) {
      boolean usable = !known.get().isUnbuildable() && (fits || !known.get().isInProgress());
      return usable ? trust(best, known.get()) : run;
    }
    return fits ? begin(best) : run;
  }

  /** A guess that had no test branch when there was a budget: now it would be the group's run. */
  private boolean isAskedForAnew(Run guess) {
    return guess.isUnbuildable() && state.settings().speculationBudget() == 0;
  }

  private Run trust(Assumption best, Run known) {
    Group group = best.group();
    free += (group.isTesting() ? 1 : 0) - (known.isInProgress() ? 1 : 0);
    next.put(group.trusting(known, true).because(likelier(best.leaves())));
    return known;
  }

  private Run begin(Assumption best) {
    Group group = best.group();
    free -= group.isTesting() ? 0 : 1;
    Run started =
        RunStart.request(next, state, group, RunKind.MAIN, best.lands(next), best.leaves());
    next.put(group.guessing(started).trusting(started, true));
    next.move(group, PullRequestState.TESTING, likelier(best.leaves()));
    return started;
  }

  private static Reason likelier(Collection<PullRequestRef> leaves) {
    String sentence =
        leaves.isEmpty()
            ? "All ahead of it are likely to merge: it is tested on top of them."
            : "It is tested without " + PullRequestNames.list(leaves) + ", likely to leave.";
    return new Reason(ReasonCode.ASSUMPTION_CHANGED, sentence);
  }
}
