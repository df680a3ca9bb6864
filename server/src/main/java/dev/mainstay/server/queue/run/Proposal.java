package dev.mainstay.server.queue.run;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.server.queue.store.OpenQueue;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;

/**
 * A proposal to a queue: the events that follow from the state it is in when its turn comes, news
 * of pull requests beside them, statements for the same transaction, and a call when it is
 * committed.
 */
public record Proposal(
    Function<QueueState, List<QueueEvent>> events,
    Map<PullRequestRef, UnaryOperator<OpenQueue.Beside>> learned,
    Consumer<Handle> also,
    Runnable then) {

  public static Proposal of(QueueEvent event) {
    return of(state -> List.of(event));
  }

  public static Proposal of(Function<QueueState, List<QueueEvent>> events) {
    return new Proposal(events, Map.of(), handle -> {}, () -> {});
  }

  /** This proposal with news of a pull request, applied to what was known of it before. */
  public Proposal learning(PullRequestRef pr, UnaryOperator<OpenQueue.Beside> news) {
    return new Proposal(events, Map.of(pr, news), also, then);
  }

  public Proposal also(Consumer<Handle> work) {
    return new Proposal(events, learned, also.andThen(work), then);
  }

  /** This proposal with a call when all of it is committed. */
  public Proposal then(Runnable after) {
    return new Proposal(events, learned, also, after);
  }

  /**
   * An accepted proposal: the queue before and after, and the transitions between. {@code
   * committed} is the queue after all that was done in the same transaction.
   */
  public record Accepted(
      OpenQueue before, OpenQueue after, List<Transition> transitions, OpenQueue committed) {
    Accepted committedWith(OpenQueue last) {
      return new Accepted(before, after, transitions, last);
    }
  }
}
