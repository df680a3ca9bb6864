package dev.mainstay.server.report;

/** Takes runs and skipped parts from a reader of reports, one by one. */
public interface ReportSink {
  /** Returns false when enough is enough: the reader then stops. */
  boolean run(ReportedRun run);

  void skipped(Skipped skipped);
}
