package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueEvent.TargetMoved;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Someone else moves the target branch: everything under test is retested on the new head. Where
 * targets are known and those of the change are disjoint from a group's and from all it stands on,
 * its result is kept. While a merge of ours is under way, moves wait until it is known which of
 * them were our own.
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
    if (known) {
      retest(next, next.line(), touched);
      retest(next, next.side(), touched);
    }
  }

  private static void retest(
      NextState next, List<Group> groups, Optional<ImpactedTargets> touched) {
    String sentence = next.target.branch() + " moved, so it is tested again on the new head.";
    var why = new Reason(ReasonCode.TARGET_MOVED, sentence);
    Set<GroupId> shaken = new HashSet<>();
    for (Group group : groups) {
      boolean onShaken = group.standsOn().stream().anyMatch(shaken::contains);
      if (!onShaken && isDisjoint(next, group, touched)) {
        group.run().ifPresent(r -> next.put(group.with(r.inexact())));
      } else {
        shaken.add(group.id());
        next.retest(Bisection.forgotten(group), why, group.keepsPlace());
      }
    }
  }

  private static boolean isDisjoint(
      NextState next, Group group, Optional<ImpactedTargets> touched) {
    var members = new ArrayList<>(group.members());
    group.half().ifPresent(half -> members.addAll(half.context()));
    return touched.isPresent() && members.stream().noneMatch(m -> mayMeet(next, m, touched.get()));
  }

  private static boolean mayMeet(NextState next, Change member, ImpactedTargets touched) {
    return next.entry(member.pr()).flatMap(Entry::knownTargets).map(touched::meets).orElse(true);
  }
}
