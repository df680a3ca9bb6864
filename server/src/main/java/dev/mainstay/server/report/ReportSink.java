package dev.mainstay.server.report;

/** Takes what readers of reports find, one by one. */
public interface ReportSink {
  /** Returns false when enough is enough: the reader then stops. */
  boolean run(ReportedRun run);

  void skipped(Skipped skipped);
}
