package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import java.util.List;

/** The start of a test run: whether there can be one, and the request for it. */
final class RunStart {
  private RunStart() {}

  static long freeSlots(QueueState state) {
    return isPossible(state) ? state.settings().concurrency() - testing(state.line()) : 0;
  }

  private static long testing(List<Group> groups) {
    long testing = 0;
    for (Group group : groups) {
      testing += group.isTesting() ? 1 : 0;
    }
    return testing;
  }

  static boolean isPossible(QueueState state) {
    return state.lifecycle().moves()
        && MustPass.statuses(state).isPresent()
        && state.target().head().isPresent();
  }

  /** Asks for a run of a group on these, and without those. */
  static Run request(
      NextState next,
      QueueState state,
      Group group,
      RunKind kind,
      List<Change> lands,
      List<PullRequestRef> leaves) {
    var id = new RunId(next.nextId());
    var base = next.target.head().orElseThrow();
    List<String> required = MustPass.statuses(state).orElseThrow();
    next.act(new QueueAction.StartRun(id, kind, base, lands, group.members(), required, leaves));
    return Run.requested(id, kind, base, lands, leaves, required, next.now);
  }
}
