package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueEvent.LandingEnded;
import dev.mainstay.core.queue.QueueEvent.TargetMoved;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a merge went. What merged is over. A head that moved, a conflict or a refusal takes that pull
 * request out; a target branch that moved, or a tree that is not the tested one, asks for another
 * test; a forge that does not answer is asked again after a while.
 */
final class LandingReports {
  private LandingReports() {}

  static void ended(Draft draft, LandingEnded event) {
    Optional<LandingInFlight> inFlight = draft.landing.filter(l -> l.id().equals(event.landing()));
    if (inFlight.isEmpty()) {
      return;
    }
    draft.landing = Optional.empty();
    merged(draft, event.landed());
    inFlight.get().heldMoves().forEach(move -> TargetMoves.told(draft, move));
    event.problem().ifPresent(problem -> failed(draft, inFlight.get(), problem));
  }

  private static void merged(Draft draft, List<Landed> landed) {
    if (landed.isEmpty()) {
      return;
    }
    landed.forEach(l -> draft.target = draft.target.movedTo(l.targetHead(), List.of()));
    Set<PullRequestRef> prs = new HashSet<>(landed.stream().map(Landed::pr).toList());
    List<Group> line = draft.line();
    Set<GroupId> touched = new HashSet<>();
    for (Group group : line) {
      if (group.pullRequests().stream().anyMatch(prs::contains)) {
        touched.add(group.id());
        merged(draft, group, prs);
      }
    }
    settle(draft, touched, line);
    Bisection.merged(draft, prs);
  }

  private static void merged(Draft draft, Group group, Set<PullRequestRef> prs) {
    var why =
        group.direct()
            ? new Reason(
                ReasonCode.MERGED_DIRECTLY, "It was up to date and had passed, so it was merged.")
            : new Reason(ReasonCode.MERGED_BY_QUEUE, "It was tested and merged.");
    List<Change> left = group.members().stream().filter(m -> !prs.contains(m.pr())).toList();
    for (PullRequestRef pr : group.pullRequests()) {
      if (prs.contains(pr)) {
        draft.end(draft.member(pr), PullRequestState.MERGED, why);
      }
    }
    if (left.isEmpty()) {
      draft.remove(group);
    } else {
      draft.put(group.with(left));
    }
  }

  /** Nobody stands on what landed any more, and who did not hold all of it has another tree. */
  private static void settle(Draft draft, Set<GroupId> landed, List<Group> before) {
    Set<GroupId> exact = Lanes.holdingAll(before, landed);
    Set<GroupId> open = new HashSet<>();
    for (Group group : draft.line()) {
      open.add(group.id());
      Group left = group.on(group.standsOn().stream().filter(open::contains).toList());
      draft.put(left);
      if (!exact.contains(left.id())) {
        left.run().ifPresent(r -> draft.put(left.with(r.inexact())));
      }
    }
  }

  private static void failed(Draft draft, LandingInFlight landing, LandingProblem problem) {
    switch (problem) {
      case LandingProblem.HeadMoved p -> headMoved(draft, p.pr());
      case LandingProblem.TargetMoved p ->
          TargetMoves.told(draft, new TargetMoved(draft.target.head(), p.head(), Optional.empty()));
      case LandingProblem.Conflicted p ->
          draft
              .entry(p.pr())
              .flatMap(e -> e.admittedHead().map(e::conflictingAt))
              .ifPresent(draft::put);
      case LandingProblem.TreeDiffered() -> treeDiffered(draft, landing);
      case LandingProblem.Refused p -> {
        var why = new Reason(ReasonCode.MERGE_REFUSED, p.sentence());
        draft.entry(p.pr()).ifPresent(e -> draft.put(e.leaving(Optional.of(why))));
      }
      case LandingProblem.ForgeUnavailable p -> unavailable(draft, landing, p.sentence());
    }
  }

  /** The head we know is no longer the head: nothing is known until the forge shows the new one. */
  private static void headMoved(Draft draft, PullRequestRef pr) {
    Optional<Entry> open = draft.entry(pr);
    if (open.isEmpty() || !open.get().head().equals(open.get().admittedHead())) {
      return;
    }
    var why = new Reason(ReasonCode.HEAD_MOVED, "It was pushed to while it was about to merge.");
    Entry entry = open.get().leaving(Optional.of(why));
    draft.put(
        entry.snapshot().map(s -> entry.seen(s.with(Mergeability.UNSPECIFIED))).orElse(entry));
    draft.act(new QueueAction.TakeSnapshot(draft.nextId(), pr));
  }

  private static void treeDiffered(Draft draft, LandingInFlight landing) {
    String sentence = "What would have been merged is not what was tested, so it is tested again.";
    var why = new Reason(ReasonCode.TREE_DIFFERED, sentence);
    Set<GroupId> failed = new HashSet<>(landing.groups());
    List<Group> line = draft.line();
    Set<GroupId> above = Lanes.above(line, failed);
    for (Group group : line) {
      if (failed.contains(group.id()) || above.contains(group.id())) {
        draft.retest(group, why, false);
      }
    }
  }

  private static void unavailable(Draft draft, LandingInFlight landing, String sentence) {
    var why = new Reason(ReasonCode.FORGE_UNAVAILABLE, sentence);
    for (Group group : draft.line()) {
      if (landing.groups().contains(group.id())) {
        draft.put(group.resting(draft.now.plus(RunReports.REST)));
        group.pullRequests().forEach(pr -> draft.put(draft.member(pr).because(why)));
      }
    }
  }
}
