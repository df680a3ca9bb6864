package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueEvent.TargetMoved;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Someone else moves the target branch: everything under test is retested on the new head. Where
 * targets are known and those of the change are disjoint from a group's, its result is kept; where
 * a run proves all it stands on, from theirs, too. While a merge of ours is under way, moves wait
 * until it is known which of them were our own.
 */
final class TargetMoves {
  private TargetMoves() {}

  static void told(NextState next, TargetMoved move) {
    if (next.landing.isPresent()) {
      LandingInFlight landing = next.landing.get();
      next.landing = Optional.of(landing.holding(move));
    } else if (next.target.isNews(move)) {
      moved(next, move);
    }
  }

  private static void moved(NextState next, TargetMoved move) {
    boolean known = next.target.head().isPresent();
    boolean gap = !move.from().equals(next.target.head());
    Optional<ImpactedTargets> touched = gap ? Optional.empty() : move.touched();
    List<CommitSha> passed = move.from().map(List::of).orElse(List.of());
    next.target = next.target.movedTo(move.to(), passed);
    next.doubt = next.doubt.moved();
    if (known) {
      retest(next, next.line(), g -> isDisjoint(next, g, touched));
      retest(next, next.side(), g -> isDisjoint(next, g, touched));
      next.line().forEach(g -> standsElsewhere(next, g));
      next.side().forEach(g -> standsElsewhere(next, g));
    }
  }

  /** Something is there that nobody tested: a person must look before anything goes on. */
  static void untested(NextState next, String alarm) {
    Modes.becomes(next, QueueLifecycle.PAUSED);
    next.switchingTo = Optional.empty();
    next.target = next.target.with(Optional.of(alarm));
    retest(next, next.line(), g -> false);
    retest(next, next.side(), g -> false);
  }

  /** Targets that changed while their change was being merged count now for those without it. */
  static void merged(NextState next, ImpactedTargets touched, Set<RunId> holding) {
    retest(
        next,
        next.line(),
        g ->
            g.runs().stream().allMatch(r -> holding.contains(r.id()))
                || isDisjoint(next, g, Optional.of(touched)));
  }

  private static void retest(NextState next, List<Group> groups, Predicate<Group> isKept) {
    String sentence = next.target.branch() + " moved, so it is tested again on the new head.";
    var why = new Reason(ReasonCode.TARGET_MOVED, sentence);
    Set<GroupId> shaken = new HashSet<>();
    boolean provesAll = !next.settings.takesOnlyWhatItMeets();
    for (Group group : groups) {
      boolean onShaken = provesAll && group.standsOn().stream().anyMatch(shaken::contains);
      if (onShaken || !isKept.test(group)) {
        shaken.add(group.id());
        next.retest(Bisection.forgotten(group), why, group.keepsPlace());
      }
    }
  }

  /** A result that is kept was seen on another tree. */
  private static void standsElsewhere(NextState next, Group group) {
    Group elsewhere = group;
    for (Run run : group.runs()) {
      elsewhere = elsewhere.with(run.inexact());
    }
    if (!elsewhere.equals(group)) {
      next.put(elsewhere);
    }
  }

  private static boolean isDisjoint(
      NextState next, Group group, Optional<ImpactedTargets> touched) {
    var members = new ArrayList<>(group.members());
    members.addAll(group.context());
    return touched.isPresent()
        && !group.testsTarget()
        && members.stream().noneMatch(m -> mayMeet(next, m, touched.get()));
  }

  private static boolean mayMeet(NextState next, Change member, ImpactedTargets touched) {
    return next.entry(member.pr()).flatMap(Entry::knownTargets).map(touched::meets).orElse(true);
  }
}
