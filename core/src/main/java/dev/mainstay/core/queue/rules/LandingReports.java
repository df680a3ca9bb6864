package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Departure;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.PullRequestSnapshot.Mergeability;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent.Landed;
import dev.mainstay.core.queue.QueueEvent.LandingEnded;
import dev.mainstay.core.queue.QueueEvent.TargetMoved;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A landing is answered. A pull request that merged is over. A head that moved, a conflict or a
 * refusal takes that pull request out; a target branch that moved, or a tree that is not the tested
 * one, asks for another test; one that the forge made otherwise pauses the queue; a forge that does
 * not answer is asked again after a while.
 */
final class LandingReports {
  private LandingReports() {}

  static void ended(NextState next, LandingEnded event) {
    Optional<LandingInFlight> inFlight = next.landing.filter(l -> l.id().equals(event.landing()));
    if (inFlight.isEmpty()) {
      return;
    }
    next.landing = Optional.empty();
    merged(next, inFlight.get(), event.landed());
    Guesses.notMerged(next, inFlight.get().groups());
    inFlight.get().heldMoves().forEach(move -> TargetMoves.told(next, move));
    event.problem().ifPresent(problem -> failed(next, inFlight.get(), problem));
  }

  private static void merged(NextState next, LandingInFlight landing, List<Landed> landed) {
    if (landed.isEmpty()) {
      return;
    }
    landed.forEach(l -> next.target = next.target.movedTo(l.targetHead(), List.of()));
    next.doubt = next.doubt.moved();
    Map<PullRequestRef, Landed> prs = new HashMap<>();
    landed.forEach(l -> prs.put(l.pr(), l));
    List<Group> line = next.line();
    List<ImpactedTargets> changed = changedMeanwhile(next, prs.keySet());
    Set<GroupId> touched = new HashSet<>();
    for (Group group : line) {
      if (group.pullRequests().stream().anyMatch(prs::containsKey)) {
        touched.add(group.id());
        merged(next, group, prs);
      }
    }
    List<GroupId> halved = new ArrayList<>(landing.groups());
    halved.addAll(Overtaking.merged(next, line, prs.keySet()));
    Set<RunId> holding = holdingAll(line, touched);
    settle(next, prs.keySet(), holdingAll(line, bringing(line, landed)));
    changed.forEach(targets -> TargetMoves.merged(next, targets, holding));
    Remains.retestWithout(next, halved);
    Bisection.merged(next, prs.keySet());
  }

  /** The groups that added something to the target branch: who was there already adds nothing. */
  private static Set<GroupId> bringing(List<Group> line, List<Landed> landed) {
    Set<GroupId> groups = new HashSet<>();
    for (Landed one : landed) {
      if (!one.how().equals(Optional.of(LandedHow.ALREADY_THERE))) {
        line.stream().filter(g -> g.holds(one.pr())).forEach(g -> groups.add(g.id()));
      }
    }
    return groups;
  }

  private static void merged(NextState next, Group group, Map<PullRequestRef, Landed> landed) {
    List<Change> left = group.members().stream().filter(m -> !landed.containsKey(m.pr())).toList();
    for (PullRequestRef pr : group.pullRequests()) {
      Optional.ofNullable(landed.get(pr)).ifPresent(l -> merged(next, group, l));
    }
    if (left.isEmpty()) {
      next.remove(group);
    } else {
      next.put(group.with(left));
    }
  }

  private static void merged(NextState next, Group group, Landed landed) {
    Entry entry = next.member(landed.pr());
    Lessons.passed(next, entry, group);
    next.end(entry, PullRequestState.MERGED, reason(next, group, landed));
  }

  private static Reason reason(NextState next, Group group, Landed landed) {
    if (landed.how().equals(Optional.of(LandedHow.ALREADY_THERE))) {
      return AlreadyThere.reason(next.target);
    }
    return group.direct()
        ? new Reason(
            ReasonCode.MERGED_DIRECTLY, "It was up to date and had passed, so it was merged.")
        : new Reason(ReasonCode.MERGED_BY_QUEUE, Overtaking.end(group));
  }

  /** The targets that pull requests have now, and had not when they were tested. */
  private static List<ImpactedTargets> changedMeanwhile(NextState next, Set<PullRequestRef> prs) {
    return prs.stream()
        .flatMap(pr -> next.entry(pr).stream())
        .filter(e -> !e.knownTargets().equals(e.admission().map(Admission::targets)))
        .flatMap(e -> e.knownTargets().stream())
        .toList();
  }

  /** The runs whose test branch holds each of these groups: as the tested one, or below it. */
  private static Set<RunId> holdingAll(List<Group> line, Set<GroupId> these) {
    List<Group> wanted = line.stream().filter(g -> these.contains(g.id())).toList();
    var holding = new HashSet<RunId>();
    for (Group group : line) {
      group.runs().stream()
          .filter(
              r ->
                  wanted.stream()
                      .allMatch(w -> w.id().equals(group.id()) || r.standsOn(w.pullRequests())))
          .forEach(r -> holding.add(r.id()));
    }
    return holding;
  }

  /** Nobody stands on what landed any more, and what did not hold all of it has another tree. */
  private static void settle(NextState next, Set<PullRequestRef> landed, Set<RunId> holding) {
    next.relink(next.line());
    for (Group before : next.line()) {
      Group group = before;
      for (Run run : before.runs().stream().filter(r -> !holding.contains(r.id())).toList()) {
        group = group.with(run.inexact());
      }
      if (!group.equals(before)) {
        next.put(group);
      }
    }
    Guesses.merged(next, landed);
  }

  private static void failed(NextState next, LandingInFlight landing, LandingProblem problem) {
    switch (problem) {
      case LandingProblem.HeadMoved p -> headMoved(next, p.pr());
      case LandingProblem.TargetMoved p ->
          TargetMoves.told(next, new TargetMoved(next.target.head(), p.head(), Optional.empty()));
      case LandingProblem.Conflicted p ->
          next.entry(p.pr())
              .flatMap(e -> e.admittedHead().map(e::conflictingAt))
              .ifPresent(next::put);
      case LandingProblem.TreeDiffered() -> treeDiffered(next, landing);
      case LandingProblem.Refused p -> {
        var end = Departure.failed(ReasonCode.MERGE_REFUSED, p.sentence());
        next.entry(p.pr()).ifPresent(e -> next.put(e.leaving(Optional.of(end))));
      }
      case LandingProblem.Untested p -> TargetMoves.untested(next, p.sentence());
      case LandingProblem.ForgeUnavailable p -> unavailable(next, landing, p.sentence());
    }
  }

  /** The head we know is no longer the head: nothing is known until the forge shows the new one. */
  private static void headMoved(NextState next, PullRequestRef pr) {
    Optional<Entry> open = next.entry(pr);
    if (open.isEmpty() || !open.get().head().equals(open.get().admittedHead())) {
      return;
    }
    var why = new Reason(ReasonCode.HEAD_MOVED, "It was pushed to while it was about to merge.");
    Entry entry = open.get().leaving(Optional.of(Departure.notReady(why)));
    next.put(entry.snapshot().map(s -> entry.seen(s.with(Mergeability.UNSPECIFIED))).orElse(entry));
    next.act(new QueueAction.TakeSnapshot(next.nextId(), pr));
  }

  private static void treeDiffered(NextState next, LandingInFlight landing) {
    String sentence = "What would have been merged is not what was tested, so it is tested again.";
    var why = new Reason(ReasonCode.TREE_DIFFERED, sentence);
    Set<GroupId> failed = new HashSet<>(landing.groups());
    List<Group> line = next.line();
    Set<GroupId> shaken = Lanes.shaken(line, failed);
    for (Group group : line) {
      if (failed.contains(group.id()) || shaken.contains(group.id())) {
        next.retest(group, why, false);
      }
    }
  }

  private static void unavailable(NextState next, LandingInFlight landing, String sentence) {
    var why = new Reason(ReasonCode.FORGE_UNAVAILABLE, sentence);
    for (Group group : next.line()) {
      if (landing.groups().contains(group.id())) {
        next.put(group.resting(next.now.plus(RunReports.REST)));
        group.pullRequests().forEach(pr -> next.put(next.member(pr).because(why)));
      }
    }
  }
}
