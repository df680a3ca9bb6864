package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.QueueEvent.TargetMoved;
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

  static void told(Draft draft, TargetMoved move) {
    if (draft.landing.isPresent()) {
      LandingInFlight landing = draft.landing.get();
      draft.landing = Optional.of(landing.holding(move));
    } else if (draft.target.isNews(move)) {
      moved(draft, move);
    }
  }

  private static void moved(Draft draft, TargetMoved move) {
    boolean known = draft.target.head().isPresent();
    boolean gap = !move.from().equals(draft.target.head());
    Optional<ImpactedTargets> touched = gap ? Optional.empty() : move.touched();
    List<CommitSha> passed = move.from().map(List::of).orElse(List.of());
    draft.target = draft.target.movedTo(move.to(), passed);
    if (known) {
      retest(draft, draft.line(), touched);
      retest(draft, draft.side(), touched);
    }
  }

  private static void retest(Draft draft, List<Group> groups, Optional<ImpactedTargets> touched) {
    String sentence = draft.target.branch() + " moved, so it is tested again on the new head.";
    var why = new Reason(ReasonCode.TARGET_MOVED, sentence);
    Set<GroupId> shaken = new HashSet<>();
    for (Group group : groups) {
      boolean onShaken = group.standsOn().stream().anyMatch(shaken::contains);
      if (!onShaken && isDisjoint(draft, group, touched)) {
        group.run().ifPresent(r -> draft.put(group.with(r.inexact())));
      } else {
        shaken.add(group.id());
        draft.retest(Bisection.forgotten(group), why, group.keepsPlace());
      }
    }
  }

  private static boolean isDisjoint(Draft draft, Group group, Optional<ImpactedTargets> touched) {
    var members = new ArrayList<>(group.members());
    group.half().ifPresent(half -> members.addAll(half.context()));
    return touched.isPresent() && members.stream().noneMatch(m -> mayMeet(draft, m, touched.get()));
  }

  private static boolean mayMeet(Draft draft, Change member, ImpactedTargets touched) {
    return draft.entry(member.pr()).flatMap(Entry::knownTargets).map(touched::meets).orElse(true);
  }
}
