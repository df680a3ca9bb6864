package dev.mainstay.core.queue;

/** What a CI system says about one status. */
public enum CheckState {
  PENDING,
  SUCCESS,
  FAILURE
}
