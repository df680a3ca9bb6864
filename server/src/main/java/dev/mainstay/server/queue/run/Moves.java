package dev.mainstay.server.queue.run;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.server.queue.store.PullRequestStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the run that a transition is about. */
final class Moves {
  private Moves() {}

  /** Those under test, and their runs. */
  static Map<PullRequestRef, Run> tested(QueueState state) {
    var tested = new HashMap<PullRequestRef, Run>();
    Stream.concat(state.line().stream(), state.side().stream())
        .forEach(g -> g.run().ifPresent(r -> g.pullRequests().forEach(pr -> tested.put(pr, r))));
    return tested;
  }

  /**
   * A transition with its run, given the state before and those tested after it. Who waits has
   * none: the run it had is over, and one that follows in the same step is that of the next
   * transition.
   */
  static PullRequestStore.Moved of(
      Transition transition, QueueState was, Map<PullRequestRef, Run> tested) {
    return new PullRequestStore.Moved(transition, run(transition, was, tested).map(Run::id));
  }

  static Optional<Run> run(Transition transition, QueueState was, Map<PullRequestRef, Run> tested) {
    PullRequestRef pr = transition.pr();
    return switch (transition.to()) {
      case NOT_READY, PENDING -> Optional.empty();
      case TESTING -> Optional.ofNullable(tested.get(pr));
      case TESTS_PASSED, PENDING_FAILURE ->
          Optional.ofNullable(tested.get(pr)).or(() -> was.runOf(pr));
      case MERGED, FAILED, CANCELLED -> was.runOf(pr);
    };
  }
}
