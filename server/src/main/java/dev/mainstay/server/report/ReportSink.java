package dev.mainstay.server.report;

/** Takes runs and everything else that is to be told of files from their readers, one by one. */
public interface ReportSink {
  /** Returns false when enough is enough: the reader then stops. */
  boolean run(ReportedRun run);

  /**
   * An attempt of a case whose others are files of their own, all with the same word for it. A sink
   * that does not join them takes each as a case.
   */
  default boolean attempt(String series, ReportedCase test) {
    boolean goesOn = true;
    for (int i = 0; i < test.attempts().size() && goesOn; i++) {
      goesOn = run(test.run(i));
    }
    return goesOn;
  }

  void skipped(Skipped skipped);

  /** A file turned out to be a test report, with or without results in it. */
  default void isReport(String file) {}

  default void missing(Missing missing) {}
}
