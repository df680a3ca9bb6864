package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.LandingId;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestSnapshot.Status;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction.Land;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.MustPass;
import dev.mainstay.core.simulation.check.play.BenchRun;
import dev.mainstay.core.simulation.check.play.FakeForge;
import dev.mainstay.core.simulation.check.play.Patch;
import dev.mainstay.core.simulation.check.play.TestBench;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A landing lands what was tested, once, and in order. */
final class LandingChecks {
  private final FakeForge forge;
  private final TestBench bench;
  private final Set<LandingId> asked = new HashSet<>();
  private final Set<CommitSha> ours = new HashSet<>();

  LandingChecks(FakeForge forge, TestBench bench) {
    this.forge = forge;
    this.bench = bench;
  }

  void after(Observation o) {
    if (o.event() instanceof QueueEvent.LandingEnded ended) {
      ended.landed().stream().filter(l -> l.how().isEmpty()).forEach(l -> ours.add(l.targetHead()));
    }
    o.actions(Land.class).filter(l -> asked.add(l.landing())).forEach(l -> first(l, o));
    o.step().transitions().stream()
        .filter(t -> t.to() == PullRequestState.MERGED)
        .filter(t -> t.reason().code() == ReasonCode.MERGED_MANUALLY)
        .forEach(t -> isThere(t, o));
    o.after().line().forEach(g -> isNotThere(g, o.after()));
    if (o.event() instanceof QueueEvent.LandingEnded && !forge.isGood(forge.tree(forge.head()))) {
      throw new InvariantBroken(
          Invariant.MAIN_IS_GREEN,
          "The target branch is broken: " + forge.tree(forge.head()).patches());
    }
  }

  private void isThere(Transition t, Observation o) {
    Optional<CommitSha> head =
        shown(t.pr(), o.event()).or(() -> o.before().entry(t.pr()).flatMap(Entry::head));
    boolean there =
        head.filter(h -> everLanded(new Change(t.pr(), h))).isPresent()
            || forge.pr(t.pr()).status == Status.MERGED;
    if (!there) {
      throw new InvariantBroken(
          Invariant.ALREADY_THERE, TraceWords.of(t) + ", but it is not on the target branch");
    }
  }

  private boolean everLanded(Change change) {
    return forge.hasLanded(Patch.of(change));
  }

  private static Optional<CommitSha> shown(PullRequestRef pr, QueueEvent event) {
    return switch (event) {
      case QueueEvent.Submitted e when e.pr().equals(pr) ->
          e.snapshot().map(PullRequestSnapshot::head);
      case QueueEvent.SnapshotTaken e when e.pr().equals(pr) -> Optional.of(e.snapshot().head());
      default -> Optional.empty();
    };
  }

  /**
   * A group that stands on nothing, and whose test branch is built, brings something. The run of
   * one that it was overtaken by does not say what it brings: the merge finds that out.
   */
  private void isNotThere(Group group, QueueState after) {
    boolean isThere =
        !group.members().isEmpty()
            && group
                .run()
                .filter(r -> r.builtAt().isPresent() && r.exact())
                .flatMap(r -> bench.run(r.id()))
                .filter(r -> isOn(r, group.members().getFirst()))
                .isPresent();
    if (isThere && !Lineup.isLanding(after, group) && Lineup.below(after, group.id()).isEmpty()) {
      PullRequestRef pr = group.members().getFirst().pr();
      throw new InvariantBroken(
          Invariant.ALREADY_THERE, pr + " is tested and on the target branch already");
    }
  }

  private boolean isOn(BenchRun run, Change change) {
    return run.asked.tested().contains(change)
        && forge.tree(run.asked.base()).has(Patch.of(change));
  }

  private void first(Land land, Observation o) {
    isAlone(land, o);
    for (Change change : land.changes()) {
      isOpen(land, change, o.after());
    }
    if (!o.after().settings().canOptimisticallyMerge()) {
      eachPassed(land, o.after());
    }
    if (land.tested().isPresent()) {
      wasTested(land, land.tested().get(), o.after());
    } else {
      isUpToDate(land, o);
    }
  }

  private static void isAlone(Land land, Observation o) {
    boolean answered =
        o.event() instanceof QueueEvent.LandingEnded ended
            && o.before().landing().filter(l -> l.id().equals(ended.landing())).isPresent();
    boolean isKnown = o.after().landing().filter(l -> l.id().equals(land.landing())).isPresent();
    if ((o.before().landing().isPresent() && !answered) || !isKnown) {
      throw new InvariantBroken(
          Invariant.MERGES_ONCE, TraceWords.of(land) + " while another merge is under way");
    }
  }

  /** Without optimistic merging nothing is proven by what stands on it. */
  private static void eachPassed(Land land, QueueState after) {
    boolean passed =
        land.changes().stream()
            .allMatch(c -> after.groupOf(c.pr()).filter(Group::passed).isPresent());
    if (!passed) {
      throw new InvariantBroken(
          Invariant.MERGES_ONLY_TESTED, TraceWords.of(land) + ", but not all of them passed");
    }
  }

  private void isOpen(Land land, Change change, QueueState after) {
    Optional<Entry> entry = after.entry(change.pr());
    if (entry.isEmpty() || entry.get().leaving().isPresent()) {
      throw new InvariantBroken(
          Invariant.MERGES_ONCE, TraceWords.of(land) + ", but " + change.pr() + " has ended");
    }
    if (!entry.get().head().equals(Optional.of(change.head()))) {
      throw new InvariantBroken(
          Invariant.MERGES_ONLY_TESTED,
          "%s, but the head of %s is %s"
              .formatted(TraceWords.of(land), change.pr(), entry.get().head()));
    }
  }

  private void wasTested(Land land, CommitSha commit, QueueState after) {
    Optional<BenchRun> run = bench.testedBy(commit);
    if (run.isEmpty() || !run.get().proved()) {
      throw new InvariantBroken(
          Invariant.MERGES_ONLY_TESTED,
          "%s, but of %s only %s have succeeded"
              .formatted(
                  TraceWords.of(land),
                  run.map(r -> r.asked.requiredStatuses()).orElse(List.of()),
                  run.map(r -> r.succeeded.toString()).orElse("[]")));
    }
    Set<Patch> tested = forge.tree(commit).patches();
    var landed = new HashSet<>(forge.tree(land.onto()).patches());
    land.changes().forEach(c -> landed.add(Patch.of(c)));
    if (!landed.containsAll(tested)) {
      throw new InvariantBroken(
          Invariant.IN_ORDER,
          "%s, but it was tested with %s".formatted(TraceWords.of(land), tested));
    }
    if (landed.equals(tested) && !land.exactTree() && onlyWeMoved(run.get(), land.onto())) {
      throw new InvariantBroken(
          Invariant.AS_TESTED, TraceWords.of(land) + ", but not as the tree that was tested");
    }
    for (Patch patch : landed) {
      if (!tested.contains(patch) && (land.exactTree() || meetsAny(patch, land, after))) {
        throw new InvariantBroken(
            Invariant.MERGES_ONLY_TESTED,
            "%s, but it was tested without %s".formatted(TraceWords.of(land), patch));
      }
    }
  }

  /** Since a run began nobody but the queue has brought anything to the target branch. */
  private boolean onlyWeMoved(BenchRun run, CommitSha onto) {
    List<CommitSha> history = forge.history();
    return ours.containsAll(
        history.subList(history.indexOf(run.asked.base()) + 1, history.indexOf(onto) + 1));
  }

  private boolean meetsAny(Patch patch, Land land, QueueState after) {
    return land.changes().stream()
        .anyMatch(
            c -> Patch.of(c).equals(patch) || forge.targets(patch).meets(Lineup.targets(c, after)));
  }

  private void isUpToDate(Land land, Observation o) {
    List<String> required = MustPass.statuses(o.after()).orElse(List.of());
    Optional<PullRequestSnapshot> seen =
        o.after().entry(land.changes().getFirst().pr()).flatMap(Entry::snapshot);
    boolean first =
        o.after().groupOf(land.changes().getFirst().pr()).stream()
            .allMatch(g -> Lineup.below(o.after(), g.id()).isEmpty());
    boolean direct =
        first
            && land.changes().size() == 1
            && o.after().settings().directMergeMode() == DirectMergeMode.ALWAYS
            && seen.filter(s -> s.mergeBase().equals(Optional.of(land.onto()))).isPresent()
            && seen.filter(s -> s.passedStatuses().containsAll(required)).isPresent();
    if (!direct) {
      throw new InvariantBroken(
          Invariant.MERGES_ONLY_TESTED,
          TraceWords.of(land) + ", but it is not up to date and passed");
    }
  }
}
