package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.GroupId;
import dev.mainstay.core.queue.Half;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the guilty of a failed batch. Its two halves are tested apart, in the side queue with its
 * own slots. A half that passes goes back to the line, where its members are tested together once
 * more, with nobody else, and merge. A half that fails is halved again; a single pull request that
 * fails on its own is FAILED. Parts only ever get smaller, so this ends.
 *
 * <p>With BISECTION_SKIP_REDUNDANT_TESTS the second half waits for the first. If that passes, the
 * second is known to fail on top of it, since the whole did: it is not run but halved at once, on
 * top of what passed. A single one left over waits until that has merged; then it is FAILED.
 */
final class Bisection {
  private Bisection() {}

  static Step findTheGuilty(QueueState state, Instant now) {
    var next = new NextState(state, now);
    forgetWhatNoLongerHolds(next);
    for (Group group : next.side()) {
      if (group.testsTarget() || Suspicions.holds(state.doubt(), group)) {
        continue;
      }
      if (group.passed()) {
        cleared(next, group);
      } else if (!Flakes.awaitsResults(group, now)
          && (group.failed() || half(group).knownToFail())) {
        suspected(next, group);
      }
    }
    forgetWhatNoLongerHolds(next);
    return next.done();
  }

  /** A part that was tested on top of one that left, or fell itself, is tested on its own. */
  private static void forgetWhatNoLongerHolds(NextState next) {
    for (Group group : next.side()) {
      if (hasLostContext(next, group)) {
        next.retest(forgotten(group), lostContext(group), false);
      }
    }
  }

  private static void cleared(NextState next, Group group) {
    next.remove(group);
    String sentence = "It passed in bisection and waits to be tested in the queue again.";
    var why = new Reason(ReasonCode.CLEARED_BY_BISECTION, sentence);
    for (PullRequestRef pr : group.pullRequests()) {
      Entry entry = next.member(pr).clearedWith(Optional.of(group.id()));
      next.move(entry, PullRequestState.PENDING, why);
    }
    secondHalf(next, group)
        .ifPresent(
            second -> {
              var context = new ArrayList<>(half(group).context());
              context.addAll(group.members());
              Group known = second.with(new Half(context, Optional.empty(), true));
              next.put(known);
              suspected(next, known);
            });
  }

  private static void suspected(NextState next, Group group) {
    Half half = half(group);
    if (group.members().size() > 1) {
      next.remove(group);
      split(next, group.members(), new Half(half.context(), Optional.empty(), false));
    } else if (half.context().isEmpty()) {
      next.remove(group);
      Entry entry = next.member(group.members().getFirst().pr());
      Reason why = failure(group);
      Lessons.failed(next, entry, group, why);
      next.end(entry, PullRequestState.FAILED, why);
    } else {
      Entry entry = next.member(group.members().getFirst().pr());
      if (!entry.is(PullRequestState.PENDING_FAILURE)) {
        next.move(entry, PullRequestState.PENDING_FAILURE, failure(group));
      }
    }
    secondHalf(next, group)
        .ifPresent(g -> next.put(g.with(new Half(half.context(), Optional.empty(), false))));
  }

  private static Reason failure(Group group) {
    if (!half(group).knownToFail()) {
      return Flakes.verdict(group);
    }
    return new Reason(
        ReasonCode.TEST_FAILED, "Its batch failed, and the rest of the batch passed without it.");
  }

  /** Halves a part of a failed batch; both go to the side queue. */
  static void split(NextState next, List<Change> members, Half half) {
    int middle = (members.size() + 1) / 2;
    List<PullRequestRef> prs = members.stream().map(Change::pr).toList();
    String sentence =
        "The batch of " + PullRequestNames.list(prs) + " failed, so its halves are tested.";
    var why = new Reason(ReasonCode.BISECTING, sentence);
    Group first = Group.of(new GroupId(next.nextId()), members.subList(0, middle), why);
    Group second =
        Group.of(new GroupId(next.nextId()), members.subList(middle, members.size()), why);
    boolean skips = next.settings.skipsRedundantTests();
    Optional<GroupId> after = skips ? Optional.of(first.id()) : Optional.empty();
    next.putAside(first.with(new Half(half.context(), Optional.empty(), false)));
    next.putAside(second.with(new Half(half.context(), after, false)));
    next.move(first, PullRequestState.PENDING, why);
    next.move(second, PullRequestState.PENDING, why);
  }

  private static Optional<Group> secondHalf(NextState next, Group first) {
    return next.side().stream()
        .filter(g -> half(g).after().equals(Optional.of(first.id())))
        .findFirst();
  }

  /** Members left: what was known about their parts no longer holds. */
  static void without(NextState next, Collection<PullRequestRef> gone, Reason why) {
    for (Group group : next.side()) {
      if (group.pullRequests().stream().anyMatch(gone::contains)) {
        secondHalf(next, group)
            .ifPresent(g -> next.put(g.with(new Half(half(g).context(), Optional.empty(), false))));
        next.retestWithout(forgotten(group), gone, why);
      }
    }
  }

  /** Pull requests that merged are part of the target branch now, and are no longer put below. */
  static void merged(NextState next, Set<PullRequestRef> prs) {
    for (Group group : next.side()) {
      Half half = half(group);
      List<Change> left = half.context().stream().filter(c -> !prs.contains(c.pr())).toList();
      if (left.size() < half.context().size()) {
        next.put(group.with(new Half(left, half.after(), half.knownToFail())));
      }
    }
  }

  /** The same part, to be tested on its own. */
  static Group forgotten(Group group) {
    return group.half().isPresent() ? group.with(Half.ALONE) : group;
  }

  private static boolean hasLostContext(NextState next, Group group) {
    return half(group).context().stream()
        .anyMatch(
            c ->
                next.entry(c.pr())
                    .filter(e -> e.admittedHead().equals(Optional.of(c.head())))
                    .isEmpty());
  }

  private static Reason lostContext(Group group) {
    var prs = half(group).context().stream().map(Change::pr).toList();
    String sentence = "One of " + PullRequestNames.list(prs) + " left, so it is tested on its own.";
    return new Reason(ReasonCode.PREDECESSOR_LEFT, sentence);
  }

  static Half half(Group group) {
    return group.half().orElseThrow();
  }
}
