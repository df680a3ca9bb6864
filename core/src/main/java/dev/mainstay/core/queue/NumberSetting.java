package dev.mainstay.core.queue;

/** The settings of a queue that are numbers, each with its range: nobody else states it again. */
public enum NumberSetting {
  CONCURRENCY("concurrency", 1, 1000),
  BISECTION_CONCURRENCY("bisectionConcurrency", 1, 1000),
  TESTING_TIMEOUT_MINUTES("testingTimeoutMinutes", 0, 10_080),
  PENDING_FAILURE_DEPTH("pendingFailureDepth", 0, 100),
  BATCHING_MIN_SIZE("batchingMinSize", 1, 100),
  BATCHING_MAX_WAIT_TIME_MINUTES("batchingMaxWaitTimeMinutes", 0, 1440),
  SPECULATION_BUDGET("speculationBudget", 0, 10),
  FLAKE_RETRIES("flakeRetries", 0, 5);

  private final String field;
  private final int least;
  private final int most;

  NumberSetting(String field, int least, int most) {
    this.field = field;
    this.least = least;
    this.most = most;
  }

  /** The name by which users know the setting. */
  public String field() {
    return field;
  }

  public int least() {
    return least;
  }

  public int most() {
    return most;
  }

  boolean allows(int value) {
    return value >= least && value <= most;
  }
}
