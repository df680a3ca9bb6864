package dev.mainstay.server.web.queue;

/** The states of pull requests, runs, checks and queues: a word for people, and a tone. */
public final class States {
  private States() {}

  public static String word(String state) {
    return switch (state) {
      case "NOT_READY" -> "Not ready";
      case "PENDING" -> "Waiting";
      case "TESTING" -> "Testing";
      case "TESTS_PASSED" -> "Passed";
      case "PENDING_FAILURE" -> "Failed, not final";
      case "MERGED" -> "Merged";
      case "FAILED" -> "Failed";
      case "CANCELLED" -> "Cancelled";
      case "IN_PROGRESS" -> "In progress";
      case "SUCCEEDED", "SUCCESS" -> "Passed";
      case "FAILURE" -> "Failed";
      case "RUNNING" -> "Running";
      case "PAUSED" -> "Paused";
      case "DRAINING" -> "Draining";
      case "SWITCHING_MODES" -> "Switching modes";
      default -> state;
    };
  }

  /** The class of the style sheet: ok, bad, warn, busy, calm, or none. */
  public static String tone(String state) {
    return switch (state) {
      case "TESTING", "IN_PROGRESS" -> "busy";
      case "TESTS_PASSED", "MERGED", "SUCCEEDED", "SUCCESS", "RUNNING" -> "ok";
      case "FAILED", "FAILURE" -> "bad";
      case "PENDING_FAILURE", "DRAINING", "SWITCHING_MODES" -> "warn";
      case "NOT_READY", "PAUSED" -> "calm";
      default -> "";
    };
  }
}
