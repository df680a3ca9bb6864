package dev.mainstay.core.queue;

import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the runs in the line mean. Passed: TESTS_PASSED, until it can merge. Failed:
 * PENDING_FAILURE, until all it stands on have merged; if one of those leaves, it is retested
 * without it. Then the failure is its own, and once those behind it have had their say, a single
 * pull request is FAILED and a batch is bisected.
 */
final class Verdicts {
  private Verdicts() {}

  static Step convictTheGuilty(QueueState state, Instant now) {
    var draft = new Draft(state, now);
    Set<GroupId> provenByOthers = Proof.byOthers(state.line(), state.settings());
    Set<GroupId> patient = Patience.waiting(state);
    var convicted = new ArrayList<Group>();
    for (Group group : state.line()) {
      boolean proven =
          group.passed() || provenByOthers.contains(group.id()) || state.isLanding(group.id());
      if (group.failed() && !proven && group.standsOn().isEmpty()) {
        if (blamesOther(group)) {
          draft.retest(group, because(group), true);
        } else if (!patient.contains(group.id())) {
          convicted.add(group);
          continue;
        }
      }
      show(draft, group, proven);
    }
    convict(draft, convicted);
    return draft.done();
  }

  private static void show(Draft draft, Group group, boolean proven) {
    if (proven) {
      show(draft, group, PullRequestState.TESTS_PASSED, passed(group));
    } else if (group.failed()) {
      show(draft, group, PullRequestState.PENDING_FAILURE, because(group));
    } else if (group.isTesting()) {
      show(draft, group, PullRequestState.TESTING, group.why());
    }
  }

  private static void show(Draft draft, Group group, PullRequestState state, Reason why) {
    for (PullRequestRef pr : group.pullRequests()) {
      Entry entry = draft.member(pr);
      if (!entry.is(state)) {
        draft.move(entry, state, why);
      }
    }
  }

  private static void convict(Draft draft, List<Group> guilty) {
    var gone = new ArrayList<PullRequestRef>();
    for (Group group : guilty) {
      gone.addAll(group.pullRequests());
      if (group.members().size() == 1) {
        Entry entry = draft.member(group.members().getFirst().pr());
        draft.end(entry, PullRequestState.FAILED, because(group));
      }
    }
    Leaving.retestWithout(draft, gone);
    guilty.stream()
        .filter(g -> g.members().size() > 1)
        .forEach(g -> Bisection.split(draft, g.members(), Half.ALONE));
  }

  private static boolean blamesOther(Group group) {
    return group.run().filter(Run::blamesOther).isPresent();
  }

  static Reason because(Group group) {
    return group.run().flatMap(Run::failure).orElse(group.why());
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
