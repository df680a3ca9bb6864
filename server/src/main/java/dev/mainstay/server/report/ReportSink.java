package dev.mainstay.server.report;

/** Takes runs and everything else that is to be told of files from their readers, one by one. */
public interface ReportSink {
  /** Returns false when enough is enough: the reader then stops. */
  boolean run(ReportedRun run);

  void skipped(Skipped skipped);

  /** A file turned out to be a test report, with or without results in it. */
  default void isReport(String file) {}

  default void missing(Missing missing) {}
}
