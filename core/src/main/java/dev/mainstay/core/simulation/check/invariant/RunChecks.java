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
import dev.mainstay.core.queue.rules.InForce;
import dev.mainstay.core.queue.rules.MustPass;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Slots, what runs are made of, how long they last, and when they must be made anew. */
final class RunChecks {
  private final FakeForge forge;
  private final TestBench bench;

  RunChecks(FakeForge forge, TestBench bench) {
    this.forge = forge;
    this.bench = bench;
  }

  void after(Observation o) {
    if (o.actions(StartRun.class).findAny().isPresent()) {
      starts(o);
    }
    if (!hasSameShape(o.before(), o.after())) {
      o.after().line().stream()
          .filter(g -> !Lineup.isLanding(o.after(), g))
          .forEach(g -> counting(g).forEach(run -> isUpToDate(g, run, o.after())));
    }
    for (Group group : o.after().side()) {
      group.run().ifPresent(run -> standsOnTheLiving(group, run, o.after()));
    }
    everyone(o);
  }

  private void starts(Observation o) {
    slots(o, RunKind.MAIN, o.after().line(), o.after().settings().concurrency());
    slots(o, RunKind.BISECTION, o.after().side(), o.after().settings().bisectionSlots());
    slots(o, RunKind.TARGET, o.after().side(), o.after().settings().bisectionSlots());
    o.actions(StartRun.class)
        .filter(start -> o.actions(CancelRun.class).noneMatch(c -> c.run().equals(start.run())))
        .forEach(start -> started(start, o.after()));
    if (o.actions(StartRun.class).anyMatch(a -> a.kind() == RunKind.MAIN)) {
      o.after().line().forEach(g -> budget(g, o.after()));
    }
  }

  private static void slots(Observation o, RunKind kind, List<Group> groups, int slots) {
    long busy = Lineup.runsInProgress(groups);
    if (busy > slots && o.actions(StartRun.class).anyMatch(a -> a.kind() == kind)) {
      throw new InvariantBroken(
          Invariant.SLOTS, "%d %s runs in progress with %d slots".formatted(busy, kind, slots));
    }
  }

  private static void budget(Group group, QueueState after) {
    long busy = group.guesses().stream().filter(Run::isInProgress).count();
    int budget =
        after.settings().canOptimisticallyMerge() ? 0 : after.settings().speculationBudget();
    if (busy > (long) budget * group.members().size()) {
      throw new InvariantBroken(
          Invariant.BUDGET,
          "%s has %d guesses in progress, and the budget is %d"
              .formatted(TraceWords.prs(group.members()), busy, budget));
    }
  }

  private void started(StartRun start, QueueState after) {
    Optional<Group> found = after.groupOf(start.run());
    boolean asked =
        found.isPresent()
            && found.get().run(start.run()).filter(Run::isInProgress).isPresent()
            && found.get().members().equals(start.tested())
            && after.target().head().equals(Optional.of(start.base()))
            && MustPass.statuses(after).equals(Optional.of(start.requiredStatuses()));
    if (!asked) {
      throw new InvariantBroken(
          Invariant.RUNS_AS_ASKED,
          "%s is not what the queue holds".formatted(TraceWords.of(start)));
    }
    if (start.kind() == RunKind.MAIN) {
      Run run = found.get().run(start.run()).orElseThrow();
      List<Change> ahead = Lineup.changes(Lineup.held(after, found.get(), run.leaves()));
      boolean real = start.leavesOut().containsAll(run.leaves());
      List<Change> open = start.standsOn().stream().filter(c -> !isThere(c, after)).toList();
      if (!ahead.equals(open) || !real) {
        throw new InvariantBroken(
            Invariant.STANDS_ON_ALL_AHEAD,
            "%s, but ahead of it is %s".formatted(TraceWords.of(start), TraceWords.prs(ahead)));
      }
    }
  }

  /** A guess whose branch could not be made counts for nobody. */
  private static Stream<Run> counting(Group group) {
    return group.runs().stream().filter(r -> !group.guesses().contains(r) || !r.isUnbuildable());
  }

  /** It was found meanwhile to be on the target branch already. */
  private boolean isThere(Change change, QueueState after) {
    return !Lineup.inLine(change.pr(), after) && forge.hasLanded(Patch.of(change));
  }

  /** All that decides whether a run is up to date. */
  @SuppressWarnings("ReferenceEquality")
  private static boolean hasSameShape(QueueState before, QueueState after) {
    boolean untouched =
        before.line() == after.line()
            && before.entries() == after.entries()
            && before.target() == after.target();
    return untouched || shape(before).equals(shape(after));
  }

  private static List<Object> shape(QueueState state) {
    var shape = new ArrayList<Object>();
    shape.add(state.target().head());
    for (Group group : state.line()) {
      shape.add(group.members());
      shape.add(group.runs().size());
      group.runs().forEach(r -> shape.add(r.id()));
      group.members().forEach(m -> shape.add(Lineup.targets(m, state)));
    }
    return shape;
  }

  /**
   * Its run holds what its group would be merged with, give or take what it does not meet and those
   * it assumes to leave. A conflict is with what comes before, and stays one, whatever comes on
   * top.
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
    List<Change> below = Lineup.changes(Lineup.below(after, group.id()));
    List<Change> held = Lineup.changes(Lineup.held(after, group, run.leaves()));
    boolean tooMuch = !merged(below, group, after).containsAll(tested);
    Set<Patch> wanted = merged(held, group, after);
    boolean tooLittle =
        !group.aside()
            && !tested.containsAll(wanted)
            && wanted.stream()
                .filter(p -> !tested.contains(p))
                .anyMatch(p -> counting(group, held, after).anyMatch(c -> meets(p, c, after)));
    if (!below.stream().map(Change::pr).toList().containsAll(run.leaves())) {
      throw new InvariantBroken(
          Invariant.RETESTS,
          "%s assumes that some of %s leave, but stands on %s"
              .formatted(run.id(), run.leaves(), TraceWords.prs(below)));
    }
    if (tooMuch || tooLittle) {
      throw new InvariantBroken(
          Invariant.RETESTS,
          "%s tests %s, but %s would be merged into %s"
              .formatted(run.id(), tested, TraceWords.prs(below), wanted));
    }
  }

  /** The target branch with these and the group on top. */
  private Set<Patch> merged(List<Change> below, Group group, QueueState after) {
    Set<Patch> patches = new HashSet<>();
    Stream.concat(below.stream(), group.members().stream()).map(Patch::of).forEach(patches::add);
    after.target().head().ifPresent(head -> patches.addAll(forge.tree(head).patches()));
    return patches;
  }

  /** The changes that a run speaks of: its own, and with them all it holds where it proves them. */
  private static Stream<Change> counting(Group group, List<Change> held, QueueState state) {
    Stream<Change> proven = Lineup.holdsOnlyWhatItMeets(state) ? Stream.empty() : held.stream();
    return Stream.concat(proven, group.members().stream()).filter(c -> counts(c, state));
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
    if (asked.isEmpty() || !isOf(asked.get(), group, run)) {
      throw new InvariantBroken(
          Invariant.RUNS_AS_ASKED,
          "%s of %s was never asked for, or is cancelled"
              .formatted(run.id(), TraceWords.prs(group.members())));
    }
    return asked.get();
  }

  /** It tests the group, or proved it by standing on it. */
  private static boolean isOf(BenchRun asked, Group group, Run run) {
    return asked.asked.tested().containsAll(group.members())
        || (run.succeeded() && asked.asked.standsOn().containsAll(group.members()));
  }

  private Set<Patch> contents(BenchRun run) {
    var patches = new HashSet<>(forge.tree(run.asked.base()).patches());
    run.patches().forEach(patches::add);
    return patches;
  }

  private static void everyone(Observation o) {
    int minutes = InForce.testingTimeoutMinutes(o.after());
    for (List<Group> groups : List.of(o.after().line(), o.after().side())) {
      for (Group group : groups) {
        notTooLong(group, minutes, o.now());
        if (!Lineup.isLanding(o.after(), group)) {
          group.members().forEach(m -> belongs(m, o.after()));
        }
      }
    }
  }

  private static void notTooLong(Group group, int minutes, Instant now) {
    Instant longAgo = now.minus(Duration.ofMinutes(minutes));
    boolean tooLong = minutes > 0 && group.runs().stream().anyMatch(r -> isSince(r, longAgo));
    if (tooLong) {
      throw new InvariantBroken(
          Invariant.TIMEOUTS,
          "%s is tested for more than %d minutes"
              .formatted(TraceWords.prs(group.members()), minutes));
    }
  }

  private static boolean isSince(Run run, Instant longAgo) {
    return run.isInProgress() && run.builtAt().isPresent() && !run.builtAt().get().isAfter(longAgo);
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
