package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Who of a failed batch is guilty. Its two halves are tested apart, in the side queue with its own
 * slots. A half that passes goes back to the line, where its members are tested together once more,
 * with nobody else, and merge. A half that fails is halved again; a single pull request that fails
 * on its own is FAILED. Parts only ever get smaller, so this ends.
 *
 * <p>With BISECTION_SKIP_REDUNDANT_TESTS the second half waits for the first. If that passes, the
 * second is known to fail on top of it, since the whole did: it is not run but halved at once, on
 * top of what passed. A single one left over waits until that has merged; then it is FAILED.
 */
final class Bisection {
  private Bisection() {}

  static Step findTheGuilty(QueueState state, Instant now) {
    var draft = new Draft(state, now);
    forgetWhatNoLongerHolds(draft);
    for (Group group : draft.side()) {
      if (group.passed()) {
        cleared(draft, group);
      } else if (group.failed() || half(group).knownToFail()) {
        suspected(draft, group);
      }
    }
    forgetWhatNoLongerHolds(draft);
    return draft.done();
  }

  /** Who was tested on top of one that left, or fell itself, is tested on its own. */
  private static void forgetWhatNoLongerHolds(Draft draft) {
    for (Group group : draft.side()) {
      if (hasLostContext(draft, group)) {
        draft.retest(forgotten(group), lostContext(group), false);
      }
    }
  }

  private static void cleared(Draft draft, Group group) {
    draft.remove(group);
    String sentence = "It passed in bisection and waits to be tested in the queue again.";
    var why = new Reason(ReasonCode.CLEARED_BY_BISECTION, sentence);
    for (PullRequestRef pr : group.pullRequests()) {
      Entry entry = draft.member(pr).clearedWith(Optional.of(group.id()));
      draft.move(entry, PullRequestState.PENDING, why);
    }
    secondHalf(draft, group)
        .ifPresent(
            second -> {
              var context = new ArrayList<>(half(group).context());
              context.addAll(group.members());
              Group known = second.with(new Half(context, Optional.empty(), true));
              draft.put(known);
              suspected(draft, known);
            });
  }

  private static void suspected(Draft draft, Group group) {
    Half half = half(group);
    if (group.members().size() > 1) {
      draft.remove(group);
      split(draft, group.members(), new Half(half.context(), Optional.empty(), false));
    } else if (half.context().isEmpty()) {
      draft.remove(group);
      Entry entry = draft.member(group.members().getFirst().pr());
      draft.end(entry, PullRequestState.FAILED, failure(group));
    } else {
      Entry entry = draft.member(group.members().getFirst().pr());
      if (!entry.is(PullRequestState.PENDING_FAILURE)) {
        draft.move(entry, PullRequestState.PENDING_FAILURE, failure(group));
      }
    }
    secondHalf(draft, group)
        .ifPresent(g -> draft.put(g.with(new Half(half.context(), Optional.empty(), false))));
  }

  private static Reason failure(Group group) {
    if (!half(group).knownToFail()) {
      return Verdicts.because(group);
    }
    return new Reason(
        ReasonCode.TEST_FAILED, "Its batch failed, and the rest of the batch passed without it.");
  }

  /** Halves a part of a failed batch; both go to the side queue. */
  static void split(Draft draft, List<Change> members, Half half) {
    int middle = (members.size() + 1) / 2;
    List<PullRequestRef> prs = members.stream().map(Change::pr).toList();
    String sentence = "The batch of " + Wording.list(prs) + " failed, so its halves are tested.";
    var why = new Reason(ReasonCode.BISECTING, sentence);
    Group first = Group.of(new GroupId(draft.nextId()), members.subList(0, middle), why);
    Group second =
        Group.of(new GroupId(draft.nextId()), members.subList(middle, members.size()), why);
    boolean skips = draft.settings.skipsRedundantTests();
    Optional<GroupId> after = skips ? Optional.of(first.id()) : Optional.empty();
    draft.putAside(first.with(new Half(half.context(), Optional.empty(), false)));
    draft.putAside(second.with(new Half(half.context(), after, false)));
    draft.move(first, PullRequestState.PENDING, why);
    draft.move(second, PullRequestState.PENDING, why);
  }

  private static Optional<Group> secondHalf(Draft draft, Group first) {
    return draft.side().stream()
        .filter(g -> half(g).after().equals(Optional.of(first.id())))
        .findFirst();
  }

  /** Members left: what was known about their parts no longer holds. */
  static void without(Draft draft, Collection<PullRequestRef> gone, Reason why) {
    for (Group group : draft.side()) {
      if (group.pullRequests().stream().anyMatch(gone::contains)) {
        secondHalf(draft, group)
            .ifPresent(
                g -> draft.put(g.with(new Half(half(g).context(), Optional.empty(), false))));
        Leaving.shrink(draft, forgotten(group), gone, why);
      }
    }
  }

  /** What merged is part of the target branch now, and no longer needs to be put below. */
  static void merged(Draft draft, Set<PullRequestRef> prs) {
    for (Group group : draft.side()) {
      Half half = half(group);
      List<Change> left = half.context().stream().filter(c -> !prs.contains(c.pr())).toList();
      if (left.size() < half.context().size()) {
        draft.put(group.with(new Half(left, half.after(), half.knownToFail())));
      }
    }
  }

  /** The same part, to be tested on its own. */
  static Group forgotten(Group group) {
    return group.half().isPresent() ? group.with(Half.ALONE) : group;
  }

  private static boolean hasLostContext(Draft draft, Group group) {
    return half(group).context().stream()
        .anyMatch(
            c ->
                draft
                    .entry(c.pr())
                    .filter(e -> e.admittedHead().equals(Optional.of(c.head())))
                    .isEmpty());
  }

  private static Reason lostContext(Group group) {
    var prs = half(group).context().stream().map(Change::pr).toList();
    String sentence = "One of " + Wording.list(prs) + " left, so it is tested on its own.";
    return new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
  }

  static Half half(Group group) {
    return group.half().orElse(Half.ALONE);
  }
}
