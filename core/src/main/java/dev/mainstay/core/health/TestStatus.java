package dev.mainstay.core.health;

/** How far a test can be trusted. */
public enum TestStatus {
  HEALTHY,
  FLAKY,
  BROKEN
}
