package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Step;
import java.time.Instant;

/**
 * The rules of the queue: one event in; the next state and the actions out.
 *
 * <ol>
 *   <li>What happened is written down ({@link Facts}); what is stale or unknown changes nothing.
 *   <li>What took too long has failed ({@link Timeouts}).
 *   <li>Who was cancelled, closed, pushed to or is no longer ready leaves, and what stood on it is
 *       retested without it ({@link Leaving}). Who is on the target branch already is merged
 *       ({@link AlreadyThere}).
 *   <li>What failed only in tests known as flaky is tested again ({@link Flakes}).
 *   <li>A failure that is the target branch's own blames nobody and pauses the queue ({@link
 *       Suspicions}).
 *   <li>A failure is its own once all it stands on has merged: one is rejected, a batch goes to the
 *       side queue ({@link Verdicts}, {@link Patience}), where its guilty are found ({@link
 *       Bisection}).
 *   <li>A queue that has drained takes its new mode ({@link Modes}).
 *   <li>Who is ready is let in ({@link Readiness}).
 *   <li>What is proven and stands on nothing merges ({@link DirectMerge}, {@link Proof}, {@link
 *       Landing}), or else one that has passed with and without the one ahead ({@link Overtaking}).
 *   <li>Urgent goes before all others ({@link Interruption}).
 *   <li>Free slots are used: retests first, then who waits, in groups ({@link Speculation}, {@link
 *       Batching}), each on top of what it stands on ({@link Lanes}).
 *   <li>The queue asks to be woken when the next wait ends ({@link Wakeups}).
 * </ol>
 */
public final class Engine {
  private static final int PLANS_TO_SPARE = 10;

  private Engine() {}

  /** Records what happened, then plans anew. No clock, no randomness, no I/O. */
  public static Step on(QueueEvent event, QueueState before, Instant now) {
    return Facts.record(event, before, now)
        .then(s -> planToTheEnd(s, now))
        .then(s -> Stalls.endWhenDrained(s, now))
        .then(s -> Wakeups.askToBeWoken(s, now))
        .withoutVainRuns();
  }

  /**
   * An entry that loses its slot falls back among those who wait only at the end of a plan, when
   * the rules about those who wait have had their say: it may no longer be ready, or be urgent. As
   * no other event may come, a plan in which somebody fell back is followed by another one at once;
   * so is one in which somebody moved whose runs others have made guesses about, or after which a
   * failure is waited with no more.
   */
  private static Step planToTheEnd(QueueState before, Instant now) {
    QueueState state = before;
    Step all = plan(state, now);
    Step last = all;
    for (int plans = 1; goesOn(state, last); plans++) {
      if (plans == mostPlans(before)) {
        throw new IllegalStateException("no plan settles: " + last.transitions());
      }
      state = all.after();
      last = plan(state, now);
      all = all.then(last);
    }
    return all;
  }

  private static boolean goesOn(QueueState before, Step plan) {
    return fallsBack(before, plan) || Guesses.mayGoOn(before, plan) || Patience.ends(before, plan);
  }

  /** Each entry may take one plan in which its batch is split, and one in which it is rejected. */
  private static int mostPlans(QueueState state) {
    return 2 * state.entries().size() + PLANS_TO_SPARE;
  }

  /** One that was to be tested again, and had waited for that in the line, has no transition. */
  private static boolean fallsBack(QueueState before, Step plan) {
    if (plan.fallsBack()) {
      return true;
    }
    for (Group group : before.line()) {
      if (group.needsRun() && group.members().stream().anyMatch(m -> waits(plan.after(), m.pr()))) {
        return true;
      }
    }
    return false;
  }

  private static boolean waits(QueueState state, PullRequestRef pr) {
    return state.groupOf(pr).isEmpty()
        && state.entry(pr).filter(e -> e.is(PullRequestState.PENDING)).isPresent();
  }

  /** Runs start when all is decided, and of those who wait last: somebody may come to wait. */
  private static Step plan(QueueState state, Instant now) {
    Step decided = decide(state, now);
    if (Guesses.decides(state, decided)) {
      return decided;
    }
    Step line = decided.then(s -> Speculation.keepTheLineGoing(s, now));
    boolean goesOn =
        Guesses.decides(state, line) || fallsBack(state, line) || Patience.ends(state, line);
    Step started = goesOn ? line : line.then(s -> Speculation.startOthers(s, now));
    return started.then(s -> Guesses.start(s, now));
  }

  private static Step decide(QueueState state, Instant now) {
    return Timeouts.expire(state, now)
        .then(s -> Leaving.letGo(s, now))
        .then(s -> AlreadyThere.letGo(s, now))
        .then(s -> Conflicts.retestWhatStrayed(s, now))
        .then(s -> Flakes.testAgain(s, now))
        .then(s -> Suspicions.weigh(s, now))
        .then(s -> Suspicions.hearTheTarget(s, now))
        .then(s -> Verdicts.convictTheGuilty(s, now))
        .then(s -> Bisection.findTheGuilty(s, now))
        .then(s -> Modes.switchWhenDrained(s, now))
        .then(s -> Readiness.letIn(s, now))
        .then(s -> DirectMerge.testTheOutdated(s, now))
        .then(s -> Landing.mergeWhatIsProven(s, now))
        .then(s -> DirectMerge.mergeTheUpToDate(s, now))
        .then(s -> Interruption.letUrgentPass(s, now));
  }
}
