package dev.mainstay.server.health.list;

/** The order of a list of tests. */
enum TestOrder {
  ID,
  /** Those that failed in the last days, the latest first; then all others by their ids. */
  FAILED_LAST,
  /** The same tests first, the one that fails most often before the others. */
  FAILURE_RATE
}
