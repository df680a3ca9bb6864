package dev.mainstay.server.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Transition;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * What is asked of a queue: the events that follow from the state it is in when its turn comes,
 * what is known beside them, and what is written in the same transaction.
 */
record Request(
    Function<QueueState, List<QueueEvent>> events,
    Map<PullRequestRef, OpenQueue.Beside> beside,
    Consumer<Handle> also) {

  static Request of(QueueEvent event) {
    return of(state -> List.of(event));
  }

  static Request of(Function<QueueState, List<QueueEvent>> events) {
    return new Request(events, Map.of(), handle -> {});
  }

  Request knowing(PullRequestRef pr, OpenQueue.Beside known) {
    return new Request(events, Map.of(pr, known), also);
  }

  Request also(Consumer<Handle> work) {
    return new Request(events, beside, also.andThen(work));
  }

  /** What came of it: the queue before and after, and who moved. */
  record Accepted(OpenQueue before, OpenQueue after, List<Transition> transitions) {}
}
