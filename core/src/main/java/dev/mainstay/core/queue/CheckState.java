package dev.mainstay.core.queue;

/** A CI system's word on one status. */
public enum CheckState {
  PENDING,
  SUCCESS,
  FAILURE,
  /** It ran too long for CI. */
  TIMED_OUT,
  /** It ended without a word about the change, also when it was tried again. */
  CANCELLED
}
