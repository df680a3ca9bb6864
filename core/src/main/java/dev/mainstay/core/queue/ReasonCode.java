package dev.mainstay.core.queue;

import java.util.Locale;

/** The reason for which a pull request is in its state, for programs. */
public enum ReasonCode {
  SUBMITTED,
  READY,
  NO_FORGE,
  QUEUE_NOT_RUNNING,
  NO_REQUIRED_STATUSES,
  MERGEABILITY_UNKNOWN,
  IMPACTED_TARGETS_MISSING,
  TARGETS_CHANGED,
  SLOT_FREE,
  TESTS_SUCCEEDED,
  PROVEN_BY_SUCCESSOR,
  UP_TO_DATE,
  TEST_FAILED,
  TEST_TIMEOUT,
  MERGE_CONFLICT,
  CI_NEVER_STARTED,
  FORGE_UNAVAILABLE,
  MERGE_REFUSED,
  TREE_DIFFERED,
  HEAD_MOVED,
  CANCELLED_BY_USER,
  CLOSED,
  CONVERTED_TO_DRAFT,
  BASE_CHANGED,
  MERGED_BY_QUEUE,
  MERGED_DIRECTLY,
  MERGED_MANUALLY,
  PREDECESSOR_LEFT,
  TARGET_MOVED,
  INTERRUPTED_BY_URGENT,
  RESTARTED,
  BISECTING,
  CLEARED_BY_BISECTION;

  /** As programs read it: {@code test_failed}. */
  public String code() {
    return name().toLowerCase(Locale.ROOT);
  }
}
