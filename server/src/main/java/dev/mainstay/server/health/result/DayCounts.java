package dev.mainstay.server.health.result;

/** The counts of a day, of one test or of all tests of a repository. */
public record DayCounts(long passes, long failures, long skips) {
  public static final DayCounts NONE = new DayCounts(0, 0, 0);

  /** The runs that were decided: skipped ones are neither passes nor failures. */
  public long runs() {
    return passes + failures;
  }

  public DayCounts plus(DayCounts more) {
    return new DayCounts(passes + more.passes, failures + more.failures, skips + more.skips);
  }
}
