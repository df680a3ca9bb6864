package dev.mainstay.core.queue.rules;

import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.LandingInFlight;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Every wait ends. A run fails when its tests take longer than the queue allows, counted from when
 * its test branch was there; if CI never said a word about a status that is required, that is the
 * reason, and the change is not to blame. A test branch or a merge that the forge was asked for and
 * that nobody answers is asked for again.
 */
final class Timeouts {
  static final Duration ANSWER = Duration.ofMinutes(30);

  /** The wait for a status that nobody begins, where the queue has no limit. */
  private static final int LONGEST_SILENCE = 300;

  private Timeouts() {}

  static Step expire(QueueState state, Instant now) {
    var next = new NextState(state, now);
    state.line().forEach(g -> expire(next, g));
    state.side().forEach(g -> expire(next, g));
    state.landing().filter(l -> isDue(remindAt(l), now)).ifPresent(l -> Landing.remind(next, l));
    return next.done();
  }

  private static void expire(NextState next, Group group) {
    Group left = group;
    for (Run run : group.runs()) {
      if (isDue(run, next)) {
        Run ended = run.failed(reason(run, minutes(next)));
        Lessons.took(next, ended);
        left = left.with(ended);
      }
    }
    if (group.isUnbuilt() && left.failed()) {
      RunReports.rest(next, group, left.failure());
    } else if (!left.equals(group)) {
      next.put(left);
    }
  }

  private static boolean isDue(Run run, NextState next) {
    return run.isInProgress()
        && deadline(run, minutes(next)).filter(at -> isDue(at, next.now)).isPresent();
  }

  private static int minutes(NextState next) {
    return InForce.testingTimeoutMinutes(next.settings, next.learned);
  }

  private static Reason reason(Run run, int allowed) {
    if (run.builtAt().isEmpty()) {
      String sentence = "The test branch was not built in time.";
      return new Reason(ReasonCode.FORGE_UNAVAILABLE, sentence);
    }
    List<String> missing = run.missingStatuses();
    if (missing.isEmpty()) {
      return new Reason(
          ReasonCode.TEST_TIMEOUT, "Its tests took longer than %s.".formatted(inWords(allowed)));
    }
    return new Reason(
        ReasonCode.CI_NEVER_STARTED,
        "CI reported nothing for %s in %s: the change is not to blame."
            .formatted(StatusNames.of(missing), inWords(limit(run, allowed))));
  }

  private static int limit(Run run, int allowed) {
    boolean silent = allowed == 0 && !run.missingStatuses().isEmpty();
    return silent ? LONGEST_SILENCE : allowed;
  }

  private static String inWords(int limit) {
    return limit == 1 ? "1 minute" : limit + " minutes";
  }

  /** The time at which a run is given up, if ever, where tests may take so many minutes. */
  static Optional<Instant> deadline(Run run, int allowed) {
    if (!run.isInProgress()) {
      return Optional.empty();
    }
    if (run.builtAt().isEmpty()) {
      return Optional.of(run.requestedAt().plus(ANSWER));
    }
    var limit = Duration.ofMinutes(limit(run, allowed));
    return limit.isZero() ? Optional.empty() : run.builtAt().map(at -> at.plus(limit));
  }

  static Instant remindAt(LandingInFlight landing) {
    return landing.requestedAt().plus(ANSWER);
  }

  private static boolean isDue(Instant at, Instant now) {
    return !at.isAfter(now);
  }
}
