package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A test run of a group. {@code checks} holds the last word on each required status, {@code heard}
 * whether CI ever said anything. {@code exact} says that the target branch got nothing since the
 * run began but what the run contains. {@code blamesOther} says that it could not be built because
 * of pull requests it merely stands on. {@code bringNothing} are those of the tested that add no
 * commit to what the test branch holds before them.
 */
public record Run(
    RunId id,
    RunKind kind,
    CommitSha base,
    List<String> requiredStatuses,
    Map<String, CheckState> checks,
    boolean heard,
    boolean exact,
    Outcome outcome,
    Optional<Reason> failure,
    boolean blamesOther,
    Instant requestedAt,
    Optional<Instant> builtAt,
    Optional<CommitSha> commit,
    List<PullRequestRef> bringNothing) {

  /**
   * The outcome of a run, so far. A run that is no longer wanted is cancelled and leaves the state.
   */
  public enum Outcome {
    IN_PROGRESS,
    SUCCEEDED,
    FAILED
  }

  public Run {
    requiredStatuses = List.copyOf(requiredStatuses);
    bringNothing = List.copyOf(bringNothing);
    checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
  }

  /** A run that has just been asked for. */
  public static Run requested(
      RunId id, RunKind kind, CommitSha base, List<String> requiredStatuses, Instant now) {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        Map.of(),
        false,
        true,
        Outcome.IN_PROGRESS,
        Optional.empty(),
        false,
        now,
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  public boolean isInProgress() {
    return outcome == Outcome.IN_PROGRESS;
  }

  public boolean succeeded() {
    return outcome == Outcome.SUCCEEDED;
  }

  public boolean failed() {
    return outcome == Outcome.FAILED;
  }

  /** The required statuses of which nobody has said a word yet. */
  public List<String> missingStatuses() {
    return requiredStatuses.stream().filter(name -> !checks.containsKey(name)).toList();
  }

  public Run built(CommitSha tested, List<PullRequestRef> bringingNothing, Instant at) {
    return new Run(
            id,
            kind,
            base,
            requiredStatuses,
            checks,
            heard,
            exact,
            outcome,
            failure,
            blamesOther,
            requestedAt,
            Optional.of(at),
            Optional.of(tested),
            bringingNothing)
        .concluded();
  }

  /** These of the tested bring nothing. */
  public Run bringing(List<PullRequestRef> nothing) {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        checks,
        heard,
        exact,
        outcome,
        failure,
        blamesOther,
        requestedAt,
        builtAt,
        commit,
        nothing);
  }

  /** CI spoke. The first final word on a status stays: what comes after it is late or doubled. */
  public Run told(String name, CheckState said) {
    var known = new LinkedHashMap<>(checks);
    if (requiredStatuses.contains(name)) {
      known.merge(name, said, (old, next) -> old == CheckState.PENDING ? next : old);
    }
    return new Run(
            id,
            kind,
            base,
            requiredStatuses,
            known,
            true,
            exact,
            outcome,
            failure,
            blamesOther,
            requestedAt,
            builtAt,
            commit,
            bringNothing)
        .concluded();
  }

  public Run failed(Reason why, boolean becauseOfOther) {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        checks,
        heard,
        exact,
        Outcome.FAILED,
        Optional.of(why),
        becauseOfOther,
        requestedAt,
        builtAt,
        commit,
        bringNothing);
  }

  public Run inexact() {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        checks,
        heard,
        false,
        outcome,
        failure,
        blamesOther,
        requestedAt,
        builtAt,
        commit,
        bringNothing);
  }

  private Run concluded() {
    for (String name : requiredStatuses) {
      if (checks.get(name) == CheckState.FAILURE) {
        return failed(new Reason(ReasonCode.TEST_FAILED, "The status " + name + " failed."), false);
      }
    }
    boolean allSucceeded =
        requiredStatuses.stream().allMatch(name -> checks.get(name) == CheckState.SUCCESS);
    return commit.isPresent() && allSucceeded ? succeededNow() : this;
  }

  private Run succeededNow() {
    return new Run(
        id,
        kind,
        base,
        requiredStatuses,
        checks,
        heard,
        exact,
        Outcome.SUCCEEDED,
        failure,
        blamesOther,
        requestedAt,
        builtAt,
        commit,
        bringNothing);
  }
}
