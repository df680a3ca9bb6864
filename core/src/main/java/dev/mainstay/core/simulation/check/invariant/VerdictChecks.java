package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Landings;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import dev.mainstay.core.simulation.check.play.Tree;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Nobody is rejected without having had its say, nor for what is not its fault. */
final class VerdictChecks {
  private final FakeForge forge;
  private final TestBench bench;
  private final Landings landings;

  VerdictChecks(FakeForge forge, TestBench bench, Landings landings) {
    this.forge = forge;
    this.bench = bench;
    this.landings = landings;
  }

  void after(Observation o) {
    for (Transition t : o.step().transitions()) {
      if (t.to() == PullRequestState.FAILED) {
        rejected(t, o);
      }
    }
    for (Transition t : o.step().transitions()) {
      if (t.to() == PullRequestState.PENDING_FAILURE
          && t.reason().code() == ReasonCode.MERGE_CONFLICT) {
        conflicts(t, o.after());
      }
    }
    holdsNobodyUp(o.after());
  }

  /**
   * The pull request does not merge with what its run holds, is ahead of it or has landed since,
   * and not merely one of those.
   */
  private void conflicts(Transition t, QueueState after) {
    Optional<Entry> entry = after.entry(t.pr()).filter(e -> e.is(t.to()));
    Optional<BenchRun> run = after.runOf(t.pr()).flatMap(r -> bench.run(r.id()));
    if (entry.isEmpty() || run.isEmpty()) {
      return;
    }
    Patch patch = Patch.of(new Change(t.pr(), entry.get().admittedHead().orElseThrow()));
    Stream<Patch> ahead =
        after.groupOf(t.pr()).stream()
            .flatMap(g -> Lineup.changes(Lineup.below(after, g.id())).stream())
            .map(Patch::of);
    boolean own =
        Stream.of(
                forge.tree(after.target().head().orElseThrow()).patches().stream(),
                run.get().patches(),
                ahead)
            .flatMap(s -> s)
            .anyMatch(p -> forge.conflict(patch, p));
    if (!own) {
      throw new InvariantBroken(
          Invariant.OWN_REASONS,
          "%s, but it conflicts with nothing ahead of it".formatted(TraceWords.of(t)));
    }
  }

  private static void holdsNobodyUp(QueueState after) {
    for (Group group : after.line()) {
      if (group.failed() && group.failure().code() == ReasonCode.MERGE_CONFLICT) {
        after.line().stream()
            .filter(g -> g.standsOn().contains(group.id()))
            .findFirst()
            .ifPresent(
                g -> {
                  throw new InvariantBroken(
                      Invariant.CONFLICTS_HOLD_NOBODY_UP,
                      "%s stands on %s, which is in conflict"
                          .formatted(g.pullRequests(), group.pullRequests()));
                });
      }
    }
  }

  private void rejected(Transition t, Observation o) {
    Optional<Patch> patch =
        o.before()
            .entry(t.pr())
            .flatMap(Entry::admittedHead)
            .map(h -> Patch.of(new Change(t.pr(), h)));
    if (patch.isEmpty() || !isJust(t.reason().code(), patch.get(), o.after())) {
      throw new InvariantBroken(
          Invariant.JUST_VERDICTS,
          "%s, but it is good and clashes with nothing".formatted(TraceWords.of(t)));
    }
    if (t.reason().code() != ReasonCode.MERGE_REFUSED) {
      o.before().line().stream()
          .filter(g -> g.holds(t.pr()))
          .findFirst()
          .ifPresent(g -> waited(g, t.reason().code(), o));
    }
  }

  private boolean isJust(ReasonCode why, Patch patch, QueueState after) {
    boolean tainted =
        bench.runs().stream()
            .filter(r -> r.tainted)
            .anyMatch(r -> r.patches().anyMatch(patch::equals));
    return switch (why) {
      case MERGE_REFUSED -> landings.everRefused(patch.number());
      case TEST_FAILED, MERGE_CONFLICT ->
          tainted
              || !forge.isGood(Tree.EMPTY.with(patch))
              || others(after).anyMatch(p -> forge.clash(patch, p) || forge.conflict(patch, p));
      default -> tainted;
    };
  }

  /** The patches that have landed, and those in the queue with this one. */
  private Stream<Patch> others(QueueState after) {
    return Stream.concat(
        forge.tree(forge.head()).patches().stream(),
        after.entries().values().stream()
            .flatMap(e -> e.admittedHead().stream().map(h -> Patch.of(new Change(e.pr(), h)))));
  }

  /** What is left of a group that lost members may meet nothing of another one any more. */
  private static boolean meet(Group left, Group group, QueueState state) {
    return !state.settings().isParallel()
        || left.members().stream()
            .anyMatch(
                a ->
                    group.members().stream()
                        .anyMatch(b -> Lineup.targets(a, state).meets(Lineup.targets(b, state))));
  }

  /**
   * All it stood on have merged or passed, or left or stand aside and it was tested without them,
   * and those behind have finished, unless it is in conflict: nobody behind can prove it then.
   */
  private void waited(Group group, ReasonCode why, Observation o) {
    for (Group below : Lineup.below(o.before(), group.id())) {
      List<PullRequestRef> open =
          below.members().stream()
              .filter(c -> !forge.hasLanded(Patch.of(c)))
              .map(Change::pr)
              .toList();
      boolean passed =
          o.after().line().stream().anyMatch(g -> g.id().equals(below.id()) && g.passed());
      boolean triedWithout =
          o.after().line().stream()
                  .filter(g -> g.id().equals(below.id()) && !g.aside())
                  .noneMatch(g -> meet(g, group, o.before()))
              && group.runs().stream().anyMatch(r -> !r.standsOn(open));
      if (!open.isEmpty() && !passed && !triedWithout) {
        throw new InvariantBroken(
            Invariant.PATIENCE,
            "%s is rejected before %s is decided"
                .formatted(group.pullRequests(), below.pullRequests()));
      }
    }
    if (o.after().settings().canOptimisticallyMerge()
        && o.before().settings().canOptimisticallyMerge()
        && !othersMoved(o)
        && !isHalfLanded(o)
        && o.step().transitions().stream().noneMatch(VerdictChecks::takesProofsAway)) {
      notProven(group, o);
    }
    if (!o.before().settings().isParallel()
        && why != ReasonCode.MERGE_CONFLICT
        && !o.before().settings().speculates()
        && !(o.event() instanceof QueueEvent.SettingsChanged)) {
      behind(group, o);
    }
  }

  /** Others moved the target branch, which may take away proofs and leave failures as they are. */
  private static boolean othersMoved(Observation o) {
    Optional<CommitSha> expected =
        o.event() instanceof QueueEvent.LandingEnded ended && !ended.landed().isEmpty()
            ? Optional.of(ended.landed().getLast().targetHead())
            : o.before().target().head();
    return !o.after().target().head().equals(expected);
  }

  /** Of a group that landed in part, the rest may stand below nobody who was tested with it. */
  private static boolean isHalfLanded(Observation o) {
    return o.event() instanceof QueueEvent.LandingEnded ended
        && ended.problem().isPresent()
        && !ended.landed().isEmpty();
  }

  private static boolean takesProofsAway(Transition t) {
    return t.to() == PullRequestState.NOT_READY
        || t.to() == PullRequestState.CANCELLED
        || t.reason().code() == ReasonCode.MERGE_REFUSED;
  }

  private static void notProven(Group group, Observation o) {
    for (Group other : o.before().line()) {
      List<Group> below = Lineup.below(o.before(), other.id());
      boolean above = below.stream().anyMatch(g -> g.id().equals(group.id()));
      if (above && other.passed() && !isTestedAnew(other, o) && !losesItsTree(other, below, o)) {
        throw new InvariantBroken(
            Invariant.PATIENCE,
            "%s is rejected although %s stands on it and passed"
                .formatted(group.pullRequests(), other.pullRequests()));
      }
    }
  }

  private static boolean isTestedAnew(Group group, Observation o) {
    return o.event() instanceof QueueEvent.RestartRequested restart && group.holds(restart.pr());
  }

  /** It, or one that it stands on, would not have merged as it was tested. */
  private static boolean losesItsTree(Group group, List<Group> below, Observation o) {
    return o.event() instanceof QueueEvent.LandingEnded ended
        && ended.problem().filter(LandingProblem.TreeDiffered.class::isInstance).isPresent()
        && Stream.concat(Stream.of(group), below.stream())
            .anyMatch(g -> Lineup.isLanding(o.before(), g));
  }

  private static void behind(Group group, Observation o) {
    List<Group> line = o.before().line();
    int place = line.indexOf(group);
    int last = Math.min(line.size() - 1, place + o.before().settings().pendingFailureDepth());
    for (Group behind : line.subList(place + 1, last + 1)) {
      boolean spokenOf = run(o.event()).equals(behind.run().map(r -> r.id()));
      boolean timesOut = o.step().transitions().stream().anyMatch(t -> timesOut(t, behind));
      boolean stays = o.after().line().stream().anyMatch(g -> g.id().equals(behind.id()));
      if (behind.isTesting() && !spokenOf && !timesOut && stays) {
        throw new InvariantBroken(
            Invariant.PATIENCE,
            "%s is rejected while %s behind it is tested"
                .formatted(group.pullRequests(), behind.pullRequests()));
      }
    }
    newcomers(group, o);
  }

  /** Time passed, or what was learned of the tests' times made the limit shorter. */
  private static boolean timesOut(Transition t, Group group) {
    ReasonCode why = t.reason().code();
    return t.to() == PullRequestState.PENDING_FAILURE
        && (why == ReasonCode.TEST_TIMEOUT || why == ReasonCode.CI_NEVER_STARTED)
        && group.holds(t.pr());
  }

  /** Those who wait for a slot will stand behind the last one that does not stand aside. */
  private static void newcomers(Group group, Observation o) {
    List<Group> line = o.before().line();
    long hops = 1 + line.stream().skip(line.indexOf(group) + 1L).filter(g -> !g.aside()).count();
    boolean conflicts =
        line.stream().anyMatch(g -> g.failed() && g.failure().code() != ReasonCode.TEST_FAILED);
    if (hops > o.before().settings().pendingFailureDepth() || conflicts) {
      return;
    }
    o.before().waiting().stream()
        .filter(e -> o.after().entry(e.pr()).filter(VerdictChecks::mayProve).isPresent())
        .filter(e -> o.step().transitions().stream().noneMatch(t -> leaves(t, e)))
        .findFirst()
        .ifPresent(
            e -> {
              throw new InvariantBroken(
                  Invariant.PATIENCE,
                  "%s is rejected before %s, which comes behind it, is tested"
                      .formatted(group.pullRequests(), e.pr()));
            });
  }

  /** It may be back at once with another head: meanwhile nobody waited for it. */
  private static boolean leaves(Transition t, Entry entry) {
    return t.entry().equals(entry.id()) && t.to() == PullRequestState.NOT_READY;
  }

  private static boolean mayProve(Entry entry) {
    return entry.is(PullRequestState.PENDING) || entry.is(PullRequestState.TESTING);
  }

  private static Optional<RunId> run(QueueEvent event) {
    return switch (event) {
      case QueueEvent.StatusReported e -> Optional.of(e.run());
      case QueueEvent.TestBranchBuilt e -> Optional.of(e.run());
      case QueueEvent.TestBranchConflicted e -> Optional.of(e.run());
      case QueueEvent.TestBranchNotBuilt e -> Optional.of(e.run());
      case QueueEvent.CiNeverStarted e -> Optional.of(e.run());
      case QueueEvent.TestsFailed e -> Optional.of(e.run());
      default -> Optional.empty();
    };
  }
}
