package dev.mainstay.core.queue;

import dev.mainstay.core.code.CommitSha;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A test run of a group. {@code checks} holds the last word on each required status, {@code heard}
 * whether CI ever said anything. {@code exact} says that the target branch got nothing since the
 * run began but what the run contains.
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
    Instant requestedAt,
    Optional<Instant> builtAt,
    Optional<CommitSha> commit) {

  /** How a run stands. A run that is no longer wanted is cancelled and leaves the state. */
  public enum Outcome {
    IN_PROGRESS,
    SUCCEEDED,
    FAILED
  }

  public Run {
    requiredStatuses = List.copyOf(requiredStatuses);
    checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
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
}
