package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.QueueAction.CancelRun;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.rules.MustPass;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Slots, what runs are made of, how long they last, and when they must be made anew. */
final class RunChecks {
  private final FakeForge forge;
  private final TestBench bench;

  RunChecks(FakeForge forge, TestBench bench) {
    this.forge = forge;
    this.bench = bench;
  }

  void after(Observation o) {
    slots(o, RunKind.MAIN, o.after().line(), o.after().settings().concurrency());
    slots(o, RunKind.BISECTION, o.after().side(), o.after().settings().bisectionSlots());
    o.actions(StartRun.class)
        .filter(start -> o.actions(CancelRun.class).noneMatch(c -> c.run().equals(start.run())))
        .forEach(start -> started(start, o.after()));
    if (!shape(o.before()).equals(shape(o.after()))) {
      o.after().line().stream()
          .filter(g -> !Lineup.isLanding(o.after(), g))
          .forEach(g -> g.run().ifPresent(run -> isUpToDate(g, run, o.after())));
    }
    for (Group group : o.after().side()) {
      group.run().ifPresent(run -> standsOnTheLiving(group, run, o.after()));
    }
    everyone(o);
  }

  private static void slots(Observation o, RunKind kind, List<Group> groups, int slots) {
    long busy = Lineup.inProgress(groups);
    if (busy > slots && o.actions(StartRun.class).anyMatch(a -> a.kind() == kind)) {
      throw new InvariantBroken(
          Invariant.SLOTS, "%d %s runs in progress with %d slots".formatted(busy, kind, slots));
    }
  }

  private static void started(StartRun start, QueueState after) {
    Optional<Group> found = after.groupOf(start.run());
    boolean asked =
        found.isPresent()
            && found.get().isTesting()
            && found.get().members().equals(start.tested())
            && after.target().head().equals(Optional.of(start.base()))
            && MustPass.statuses(after).equals(Optional.of(start.requiredStatuses()));
    if (!asked) {
      throw new InvariantBroken(
          Invariant.RUNS_AS_ASKED,
          "%s is not what the queue holds".formatted(TraceWords.of(start)));
    }
    if (start.kind() == RunKind.MAIN) {
      List<Change> ahead = Lineup.changes(Lineup.below(after, found.get().id()));
      if (!ahead.equals(start.standsOn())) {
        throw new InvariantBroken(
            Invariant.STANDS_ON_ALL_AHEAD,
            "%s, but ahead of it is %s".formatted(TraceWords.of(start), TraceWords.prs(ahead)));
      }
    }
  }

  /** All that decides whether a run is up to date. */
  private static List<Object> shape(QueueState state) {
    var shape = new ArrayList<Object>();
    shape.add(state.target().head());
    for (Group group : state.line()) {
      shape.add(group.members());
      shape.add(group.run().map(Run::id));
      group.members().forEach(m -> shape.add(Lineup.targets(m, state)));
    }
    return shape;
  }

  /**
   * Its run holds what its group would be merged with, give or take what it does not meet. A
   * conflict is with what comes before, and stays one, whatever comes on top.
   */
  private void isUpToDate(Group group, Run run, QueueState after) {
    BenchRun asked = asked(group, run);
    Set<Patch> tested = contents(asked);
    if (group.aside()) {
      asked.asked.tested().stream()
          .dropWhile(c -> !group.members().contains(c))
          .skip(1)
          .map(Patch::of)
          .forEach(tested::remove);
    }
    List<Change> lane = new ArrayList<>(Lineup.changes(Lineup.below(after, group.id())));
    lane.addAll(group.members());
    Set<Patch> wanted = new HashSet<>(lane.stream().map(Patch::of).toList());
    after.target().head().ifPresent(head -> wanted.addAll(forge.tree(head).patches()));
    boolean tooMuch = !wanted.containsAll(tested);
    boolean tooLittle =
        !group.aside()
            && wanted.stream()
                .filter(p -> !tested.contains(p))
                .anyMatch(p -> lane.stream().anyMatch(c -> counts(c, after) && meets(p, c, after)));
    if (tooMuch || tooLittle) {
      throw new InvariantBroken(
          Invariant.RETESTS,
          "%s tests %s, but %s would be merged into %s"
              .formatted(run.id(), tested, TraceWords.prs(lane), wanted));
    }
  }

  private static boolean counts(Change change, QueueState state) {
    return state.groupOf(change.pr()).filter(g -> Lineup.isLanding(state, g)).isEmpty();
  }

  private boolean meets(Patch patch, Change change, QueueState state) {
    return forge.targets(patch).meets(Lineup.targets(change, state));
  }

  private void standsOnTheLiving(Group group, Run run, QueueState after) {
    BenchRun asked = asked(group, run);
    for (Change below : asked.asked.standsOn()) {
      boolean open =
          after
              .entry(below.pr())
              .flatMap(Entry::admittedHead)
              .filter(below.head()::equals)
              .isPresent();
      boolean landed =
          after.target().head().filter(h -> forge.tree(h).has(Patch.of(below))).isPresent();
      if (!open && !landed) {
        throw new InvariantBroken(
            Invariant.RETESTS, "%s stands on %s, which left".formatted(run.id(), below.pr()));
      }
    }
  }

  private BenchRun asked(Group group, Run run) {
    Optional<BenchRun> asked = bench.run(run.id()).filter(r -> !r.unwanted || !run.isInProgress());
    if (asked.isEmpty() || !asked.get().asked.tested().containsAll(group.members())) {
      throw new InvariantBroken(
          Invariant.RUNS_AS_ASKED,
          "%s of %s was never asked for, or is cancelled"
              .formatted(run.id(), TraceWords.prs(group.members())));
    }
    return asked.get();
  }

  private Set<Patch> contents(BenchRun run) {
    var patches = new HashSet<>(forge.tree(run.asked.base()).patches());
    run.patches().forEach(patches::add);
    return patches;
  }

  private static void everyone(Observation o) {
    for (List<Group> groups : List.of(o.after().line(), o.after().side())) {
      for (Group group : groups) {
        notTooLong(group, o);
        if (!Lineup.isLanding(o.after(), group)) {
          group.members().forEach(m -> belongs(m, o.after()));
        }
      }
    }
  }

  private static void notTooLong(Group group, Observation o) {
    int minutes = o.after().settings().testingTimeoutMinutes();
    boolean tooLong =
        minutes > 0
            && group.isTesting()
            && group
                .run()
                .flatMap(Run::builtAt)
                .filter(at -> !at.plus(Duration.ofMinutes(minutes)).isAfter(o.now()))
                .isPresent();
    if (tooLong) {
      throw new InvariantBroken(
          Invariant.TIMEOUTS,
          "%s is tested for more than %d minutes"
              .formatted(TraceWords.prs(group.members()), minutes));
    }
  }

  private static void belongs(Change member, QueueState after) {
    Optional<Entry> entry = after.entry(member.pr());
    boolean stays =
        entry.isPresent()
            && entry.get().head().equals(Optional.of(member.head()))
            && entry.get().snapshot().filter(s -> s.status() == Status.OPEN).isPresent()
            && entry
                .get()
                .snapshot()
                .filter(s -> s.baseBranch().equals(FakeForge.BRANCH))
                .isPresent();
    if (!stays) {
      throw new InvariantBroken(
          Invariant.LEAVES_WHEN_TOLD,
          "%s is still in a group, but %s"
              .formatted(
                  Patch.of(member),
                  entry.map(e -> "the queue knows " + e.snapshot()).orElse("its entry is gone")));
    }
  }
}
