package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Half;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Starts the next test runs. A group is tested as if all it stands on had merged already. Slots go
 * first to those in the line that need another run, in their order; who gets none is PENDING again
 * and waits with the others. What is left goes to those who wait. The side queue has slots of its
 * own. A paused queue starts nothing.
 */
final class Speculation {
  private Speculation() {}

  static Step startRuns(QueueState state, Instant now) {
    return keepTheLineGoing(state, now)
        .then(s -> startWaiting(s, now))
        .then(s -> startBisections(s, now));
  }

  private static Step keepTheLineGoing(QueueState state, Instant now) {
    var next = new NextState(state, now);
    List<Group> wanting = Proof.wanting(state.line(), state.settings(), state.landing());
    if (!wanting.isEmpty()) {
      start(next, state, assignSlots(next, state, wanting));
    }
    return next.done();
  }

  /** Urgent first, then in the order of the line. */
  private static Set<GroupId> assignSlots(NextState next, QueueState state, List<Group> wanting) {
    long free = freeSlots(state);
    var starting = new HashSet<GroupId>();
    var urgentFirst = new ArrayList<>(wanting);
    urgentFirst.sort(Comparator.comparing(g -> !Interruption.isUrgent(next, g)));
    for (Group group : urgentFirst) {
      if (free > 0 && !group.rests(next.now)) {
        free--;
        starting.add(group.id());
      } else {
        if (!group.keepsPlace() && state.lifecycle().moves()) {
          next.remove(group);
        }
        next.move(group, PullRequestState.PENDING, group.why());
      }
    }
    return starting;
  }

  private static void start(NextState next, QueueState state, Set<GroupId> starting) {
    next.relink(Conflicts.cameBack(next.line(), starting));
    List<Group> line = next.line();
    for (Group group : line) {
      if (starting.contains(group.id())) {
        List<Change> below =
            Lanes.below(line, group).stream().flatMap(g -> g.members().stream()).toList();
        start(next, state, group, RunKind.MAIN, below);
      }
    }
  }

  private static Step startWaiting(QueueState state, Instant now) {
    var next = new NextState(state, now);
    long free = freeSlots(state);
    if (free <= 0) {
      return next.done();
    }
    var why = new Reason(ReasonCode.SLOT_FREE, "A slot is free.");
    var starting = new HashSet<GroupId>();
    Batching.form(state, free).stream()
        .filter(forming -> !forming.goesAt(state.settings()).isAfter(now))
        .limit(free)
        .forEach(
            forming -> {
              Group group = Group.of(new GroupId(next.nextId()), forming.members(), why);
              starting.add(group.id());
              next.put(group);
            });
    if (!starting.isEmpty()) {
      start(next, state, starting);
    }
    return next.done();
  }

  private static Step startBisections(QueueState state, Instant now) {
    var next = new NextState(state, now);
    long busy = state.side().stream().filter(Group::isTesting).count();
    long free = canStart(state) ? state.settings().bisectionSlots() - busy : 0;
    for (Group group : state.side()) {
      Half half = Bisection.half(group);
      if (!group.needsRun() || half.knownToFail()) {
        continue;
      }
      if (free > 0 && half.after().isEmpty() && !group.rests(now)) {
        free--;
        start(next, state, group, RunKind.BISECTION, half.context());
      } else {
        next.move(group, PullRequestState.PENDING, group.why());
      }
    }
    return next.done();
  }

  private static void start(
      NextState next, QueueState state, Group group, RunKind kind, List<Change> below) {
    var id = new RunId(next.nextId());
    var base = next.target.head().orElseThrow();
    List<String> required = MustPass.statuses(state).orElseThrow();
    next.put(group.with(Run.requested(id, kind, base, required, next.now)));
    next.act(new QueueAction.StartRun(id, kind, base, below, group.members(), required));
    next.move(group, PullRequestState.TESTING, group.why());
  }

  static long freeSlots(QueueState state) {
    long busy = state.line().stream().filter(Group::isTesting).count();
    return canStart(state) ? state.settings().concurrency() - busy : 0;
  }

  private static boolean canStart(QueueState state) {
    return state.lifecycle().moves()
        && MustPass.statuses(state).isPresent()
        && state.target().head().isPresent();
  }
}
