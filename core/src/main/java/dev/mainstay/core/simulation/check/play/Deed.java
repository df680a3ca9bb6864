package dev.mainstay.core.simulation.check.play;

import dev.mainstay.core.queue.QueueLifecycle;
import java.util.Optional;

/** One thing that people, or bad luck, do to a queue. */
public sealed interface Deed {
  record Submit(int pr, int priority, boolean noBatch) implements Deed {}

  record Cancel(int pr) implements Deed {}

  record Restart(int pr) implements Deed {}

  record Push(int pr) implements Deed {}

  record SetDraft(int pr, boolean draft) implements Deed {}

  record SetOpen(int pr, boolean open) implements Deed {}

  record ChangeBase(int pr, boolean toOurs) implements Deed {}

  /** Tell the queue the targets of the present head: the true ones, or ALL. */
  record TellTargets(int pr, boolean all) implements Deed {}

  /** Somebody pushes to the target branch past the queue. */
  record PushToTarget(int number) implements Deed {}

  record MergeByHand(int pr) implements Deed {}

  record Ask(QueueLifecycle lifecycle) implements Deed {}

  record Configure(Tweak tweak, int value) implements Deed {}

  record Connect(boolean connected) implements Deed {}

  /** A worker comes back from the dead and does again what it did lately. */
  record ReplayActions(int count) implements Deed {}

  /** The forge tells its latest events once more. */
  record ReplayEvents(int count) implements Deed {}

  /** The pull request it is about, or the push past the queue (below zero), if any. */
  static Optional<Integer> about(Deed deed) {
    return switch (deed) {
      case Submit d -> Optional.of(d.pr());
      case Cancel d -> Optional.of(d.pr());
      case Restart d -> Optional.of(d.pr());
      case Push d -> Optional.of(d.pr());
      case SetDraft d -> Optional.of(d.pr());
      case SetOpen d -> Optional.of(d.pr());
      case ChangeBase d -> Optional.of(d.pr());
      case TellTargets d -> Optional.of(d.pr());
      case PushToTarget d -> Optional.of(-d.number());
      case MergeByHand d -> Optional.of(d.pr());
      case Ask d -> Optional.empty();
      case Configure d -> Optional.empty();
      case Connect d -> Optional.empty();
      case ReplayActions d -> Optional.empty();
      case ReplayEvents d -> Optional.empty();
    };
  }

  /** A setting that is changed while the queue works. */
  enum Tweak {
    MODE,
    CONCURRENCY,
    BISECTION_CONCURRENCY,
    TIMEOUT,
    PENDING_FAILURE_DEPTH,
    OPTIMISTIC_MERGING,
    BATCHING,
    BATCH_SIZE,
    BATCH_WAIT,
    DIRECT_MERGE,
    OPTIMIZATION,
    REQUIRED_STATUSES,
    HERMETIC_TESTS,
    SPECULATION_BUDGET,
    FLAKE_RETRIES
  }
}
