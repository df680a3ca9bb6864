package dev.mainstay.core.queue;

import java.time.Instant;

/** The rules of the queue: one event in; the next state and the actions out. */
public final class Engine {
  private Engine() {}

  /** Records what happened, then plans anew. No clock, no randomness, no I/O. */
  public static Step on(QueueEvent event, QueueState before, Instant now) {
    return Facts.record(event, before, now)
        .then(s -> Timeouts.expire(s, now))
        .then(s -> Leaving.letGo(s, now))
        .then(s -> Verdicts.convictTheGuilty(s, now))
        .then(s -> Bisection.findTheGuilty(s, now))
        .then(s -> Modes.switchWhenDrained(s, now))
        .then(s -> Readiness.letIn(s, now))
        .then(s -> DirectMerge.passTheUpToDate(s, now))
        .then(s -> Landing.mergeWhatIsProven(s, now))
        .then(s -> Interruption.letUrgentPass(s, now))
        .then(s -> Speculation.startRuns(s, now))
        .then(s -> Wakeups.askToBeWoken(s, now));
  }
}
