package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Half;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Starts the next test runs. A group is tested as if all it stands on had merged already. Slots go
 * first to those in the line that need another run, in their order; who gets none is PENDING again
 * and waits with the others, or in its place where somebody stands on it. Then come those in the
 * line whose run is outdated. Where one is trusted another run that is there already, or comes to
 * wait, that may end others, or make more of them wait: the next plan goes on. What is left goes to
 * those who wait. The side queue has slots of its own. A paused queue starts nothing.
 */
final class Speculation {
  private Speculation() {}

  static Step keepTheLineGoing(QueueState state, Instant now) {
    return startAgain(state, now).then(s -> Leads.bringUpToDate(s, now));
  }

  static Step startOthers(QueueState state, Instant now) {
    return startWaiting(state, now).then(s -> startBisections(s, now));
  }

  private static Step startAgain(QueueState state, Instant now) {
    var next = new NextState(state, now);
    List<Group> wanting = Proof.wanting(state.line(), state.settings(), state.landing());
    if (!wanting.isEmpty()) {
      start(next, state, assignSlots(next, state, wanting));
    }
    return next.done();
  }

  /** Whoever goes at once first, then in the order of the line. */
  private static Set<GroupId> assignSlots(NextState next, QueueState state, List<Group> wanting) {
    long free = RunStart.freeSlots(state);
    var starting = new HashSet<GroupId>();
    var atOnceFirst = new ArrayList<>(wanting);
    atOnceFirst.sort(Comparator.comparing(g -> !Interruption.goesAtOnce(next, g)));
    for (Group group : atOnceFirst) {
      if (free > 0 && !group.rests(next.now)) {
        free--;
        starting.add(group.id());
      } else {
        next.move(group, PullRequestState.PENDING, group.why());
      }
    }
    if (state.lifecycle().moves()) {
      goBack(next, wanting, starting);
    }
    return starting;
  }

  /** Back among those who wait, unless somebody stands on one who does not begin anew. */
  private static void goBack(NextState next, List<Group> wanting, Set<GroupId> starting) {
    var back = new ArrayList<PullRequestRef>();
    for (Group group : wanting.reversed()) {
      boolean mayGo = !group.keepsPlace() && !starting.contains(group.id());
      if (mayGo && isFree(next, group, starting)) {
        next.remove(group);
        back.addAll(group.pullRequests());
      }
    }
    if (!back.isEmpty()) {
      next.relink(next.line());
      Guesses.left(next, back);
    }
  }

  private static boolean isFree(NextState next, Group group, Set<GroupId> starting) {
    return next.line().stream()
        .filter(g -> !starting.contains(g.id()))
        .noneMatch(g -> g.standsOn().contains(group.id()) || holds(g, group));
  }

  /** Its test branch holds one that it may stand on only through others, which begin anew. */
  private static boolean holds(Group group, Group below) {
    List<PullRequestRef> prs = below.pullRequests();
    return group.run().filter(r -> r.standsOn(prs)).isPresent();
  }

  private static void start(NextState next, QueueState state, Set<GroupId> starting) {
    next.relink(Conflicts.cameBack(next.line(), starting));
    Function<Group, Assumption> likeliest = Assumption.likeliest(next);
    for (Group group : next.line()) {
      if (starting.contains(group.id())) {
        Assumption assumed = likeliest.apply(group);
        start(next, state, group, RunKind.MAIN, assumed.lands(next), assumed.leaves());
      }
    }
  }

  private static Step startWaiting(QueueState state, Instant now) {
    var next = new NextState(state, now);
    long free = RunStart.freeSlots(state);
    if (free <= 0 || state.entries().pending().isEmpty()) {
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
    long free = RunStart.isPossible(state) ? state.settings().bisectionSlots() - busy : 0;
    for (Group group : state.side()) {
      Half half = Bisection.half(group);
      if (!group.needsRun() || half.knownToFail() || group.testsTarget()) {
        continue;
      }
      if (free > 0 && half.after().isEmpty() && !group.rests(now)) {
        free--;
        start(next, state, group, RunKind.BISECTION, half.context(), List.of());
      } else {
        next.move(group, PullRequestState.PENDING, group.why());
      }
    }
    return next.done();
  }

  private static void start(
      NextState next,
      QueueState state,
      Group group,
      RunKind kind,
      List<Change> lands,
      List<PullRequestRef> leaves) {
    next.put(group.testedBy(RunStart.request(next, state, group, kind, lands, leaves)));
    next.move(group, PullRequestState.TESTING, group.why());
  }
}
