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
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The verdict of a run on its group in the line. Passed: TESTS_PASSED, until it can merge. Failed:
 * PENDING_FAILURE, until all it stands on have merged; if one of those leaves, it is retested
 * without it. Then the failure is its own, and once those behind it have had their say, a single
 * pull request is FAILED and a batch is bisected. Where results of a failed run are on their way,
 * or the target branch is suspected, the verdict waits.
 */
final class Verdicts {
  private Verdicts() {}

  static Step convictTheGuilty(QueueState state, Instant now) {
    var next = new NextState(state, now);
    Set<GroupId> provenByOthers = Proof.byOthers(state.line(), state.settings(), state.landing());
    Set<GroupId> patient = Patience.waiting(state);
    var convicted = new ArrayList<Group>();
    for (Group group : state.line()) {
      boolean proven = group.passed() || provenByOthers.contains(group.id());
      boolean guilty = group.failed() && !proven && group.standsOn().isEmpty();
      if (blamesOther(group) && !proven) {
        Conflicts.waitForOthers(next, group);
      } else if (guilty && !patient.contains(group.id()) && !isHeld(state, group, now)) {
        convicted.add(group);
      } else {
        show(next, group, proven);
      }
    }
    if (!convicted.isEmpty()) {
      convict(next, convicted);
    }
    return next.done();
  }

  private static void show(NextState next, Group group, boolean proven) {
    if (proven) {
      show(next, group, PullRequestState.TESTS_PASSED, passed(group));
    } else if (group.failed()) {
      show(next, group, PullRequestState.PENDING_FAILURE, Suspicions.failure(next.doubt, group));
    } else if (group.isTesting()) {
      show(next, group, PullRequestState.TESTING, testing(next, group));
    }
  }

  /** Where something else had proved the group meanwhile, its run was begun for another reason. */
  private static Reason testing(NextState next, Group group) {
    Entry shown = next.member(group.members().getFirst().pr());
    return shown.is(PullRequestState.TESTS_PASSED) && !shown.reason().equals(group.why())
        ? new Reason(
            ReasonCode.ASSUMPTION_CHANGED,
            "What proved it will not merge with it: its own tests, which went on, decide.")
        : group.why();
  }

  private static void show(NextState next, Group group, PullRequestState state, Reason why) {
    for (Change member : group.members()) {
      Entry entry = next.member(member.pr());
      if (!entry.is(state)) {
        next.move(entry, state, why);
      }
    }
  }

  /** Something may yet speak for it. */
  private static boolean isHeld(QueueState state, Group group, Instant now) {
    return Flakes.awaitsResults(group, now) || Suspicions.holds(state.doubt(), group);
  }

  private static void convict(NextState next, List<Group> guilty) {
    var gone = new ArrayList<PullRequestRef>();
    for (Group group : guilty) {
      gone.addAll(group.pullRequests());
      if (group.members().size() == 1) {
        Entry entry = next.member(group.members().getFirst().pr());
        Reason why = Flakes.verdict(group);
        Lessons.failed(next, entry, group, why);
        next.end(entry, PullRequestState.FAILED, why);
      }
    }
    Leaving.retestWithout(next, gone);
    guilty.stream()
        .filter(g -> g.members().size() > 1)
        .forEach(g -> Bisection.split(next, g.members(), Half.ALONE));
  }

  private static boolean blamesOther(Group group) {
    return group.failed()
        && group.run().flatMap(Run::failure).filter(f -> f.blamesOther()).isPresent();
  }

  private static Reason passed(Group group) {
    if (group.direct()) {
      return group.why();
    }
    return group.passed()
        ? new Reason(ReasonCode.TESTS_SUCCEEDED, "All required statuses succeeded.")
        : new Reason(
            ReasonCode.PROVEN_BY_SUCCESSOR, "A change that stands on it passed, which proves it.");
  }
}
