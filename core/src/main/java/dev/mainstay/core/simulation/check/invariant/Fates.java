package dev.mainstay.core.simulation.check.invariant;

import static dev.mainstay.core.queue.PullRequestState.*;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.simulation.check.play.TraceWords;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Follows every submission through its transitions, from nowhere to its one end. */
final class Fates {
  private static final Map<PullRequestState, Set<PullRequestState>> WAYS =
      new EnumMap<>(
          Map.of(
              NOT_READY, Set.of(PENDING, CANCELLED, MERGED),
              PENDING,
                  Set.of(
                      NOT_READY, TESTING, TESTS_PASSED, PENDING_FAILURE, FAILED, CANCELLED, MERGED),
              TESTING,
                  Set.of(
                      NOT_READY,
                      PENDING,
                      TESTING,
                      TESTS_PASSED,
                      PENDING_FAILURE,
                      FAILED,
                      CANCELLED,
                      MERGED),
              TESTS_PASSED,
                  Set.of(NOT_READY, PENDING, TESTING, PENDING_FAILURE, FAILED, CANCELLED, MERGED),
              PENDING_FAILURE,
                  Set.of(NOT_READY, PENDING, TESTING, TESTS_PASSED, FAILED, CANCELLED, MERGED)));

  private record Fate(PullRequestRef pr, PullRequestState state) {}

  private final Map<EntryId, Fate> fates = new LinkedHashMap<>();
  private int submissions;
  private int open;

  void after(Observation o) {
    if (o.event() instanceof QueueEvent.Submitted s && o.before().entry(s.pr()).isEmpty()) {
      submissions++;
    }
    o.step().transitions().forEach(t -> follow(t, o));
    agreeWith(o.after());
  }

  private void follow(Transition t, Observation o) {
    if (t.reason().sentence().isBlank() || !t.at().equals(o.now())) {
      throw new InvariantBroken(Invariant.REASONS, TraceWords.of(t) + " says nothing");
    }
    Optional<Fate> known = Optional.ofNullable(fates.get(t.entry()));
    if (known.isEmpty()) {
      begin(t, o);
    } else {
      go(known.get(), t);
    }
    open += t.to().isEnd() ? -1 : 0;
    fates.put(t.entry(), new Fate(t.pr(), t.to()));
  }

  private void begin(Transition t, Observation o) {
    boolean submitted =
        o.event() instanceof QueueEvent.Submitted s
            && s.pr().equals(t.pr())
            && o.before().entry(s.pr()).isEmpty();
    if (t.from().isPresent() || !submitted) {
      throw new InvariantBroken(Invariant.ONE_ENTRY, TraceWords.of(t) + " was not submitted");
    }
    open++;
  }

  private static void go(Fate fate, Transition t) {
    if (fate.state().isEnd()) {
      throw new InvariantBroken(
          Invariant.NOTHING_AFTER_THE_END,
          "%s after it was %s".formatted(TraceWords.of(t), fate.state()));
    }
    boolean follows = t.from().equals(Optional.of(fate.state())) && t.pr().equals(fate.pr());
    if (!follows || !ways(fate.state()).contains(t.to()) || !mayMerge(t)) {
      throw new InvariantBroken(
          Invariant.TRANSITIONS, "%s, but it was %s".formatted(TraceWords.of(t), fate.state()));
    }
  }

  private static Set<PullRequestState> ways(PullRequestState from) {
    return WAYS.getOrDefault(from, Set.of());
  }

  private static boolean mayMerge(Transition t) {
    return t.to() != MERGED
        || t.reason().code() == ReasonCode.MERGED_MANUALLY
        || t.from().equals(Optional.of(TESTS_PASSED));
  }

  private void agreeWith(QueueState after) {
    for (Entry entry : after.entries().values()) {
      Optional<Fate> fate = Optional.ofNullable(fates.get(entry.id()));
      if (fate.isEmpty() || fate.get().state() != entry.state()) {
        throw new InvariantBroken(
            Invariant.TRANSITIONS,
            "%s is %s, but its last transition was to %s"
                .formatted(
                    entry.pr(), entry.state(), fate.map(f -> f.state().name()).orElse("nothing")));
      }
    }
    if (after.entries().size() != open) {
      throw new InvariantBroken(
          Invariant.ENDS_ONCE,
          "%d submissions have not ended, but %d are in the queue"
              .formatted(open, after.entries().size()));
    }
  }

  void atTheEnd() {
    if (open > 0 || fates.size() != submissions) {
      throw new InvariantBroken(
          Invariant.ENDS_ONCE,
          "%d submissions, %d began, %d have not ended".formatted(submissions, fates.size(), open));
    }
  }
}
