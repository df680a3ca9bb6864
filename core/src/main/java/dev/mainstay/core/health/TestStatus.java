package dev.mainstay.core.health;

/** The status of a test: how far it can be trusted. */
public enum TestStatus {
  HEALTHY,
  FLAKY,
  BROKEN
}
