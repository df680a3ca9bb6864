package dev.mainstay.core.queue;

import java.time.Instant;
import java.util.List;

/** The rules of the queue: one event in; the next state and the actions out. */
public final class Engine {
  private Engine() {}

  /** Records what happened, then plans anew. No clock, no randomness, no I/O. */
  public static Step on(QueueEvent event, QueueState before, Instant now) {
    return new Step(before, List.of(), List.of());
  }
}
