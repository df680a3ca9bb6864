package dev.mainstay.core.queue;

/** A CI system's word on one status. */
public enum CheckState {
  PENDING,
  SUCCESS,
  FAILURE
}
