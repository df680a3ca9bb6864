package dev.mainstay.server.report;

import dev.mainstay.core.health.Outcome;

/** Tells the cases of one file to a sink until that has enough, and counts their failures. */
public final class RunTeller {
  private final String file;
  private final ReportSink sink;
  private boolean goesOn = true;
  private long announced;
  private long found;

  public RunTeller(String file, ReportSink sink) {
    this.file = file;
    this.sink = sink;
  }

  public void tell(ReportedCase test) {
    for (int i = 0; i < test.attempts().size() && goesOn; i++) {
      ReportedRun run = test.run(i);
      found += run.decides() && run.outcome().isFailure() ? 1 : 0;
      goesOn = sink.run(run);
    }
  }

  /** A case with one attempt, as nearly all are: the same without a list of them. */
  public void tellOnce(String source, String className, String parent, String name, Ending ending) {
    if (goesOn) {
      found += ending.outcome().isFailure() ? 1 : 0;
      goesOn =
          sink.run(
              new ReportedRun(
                  source,
                  className,
                  parent,
                  name,
                  ending.outcome(),
                  1,
                  true,
                  ending.startedAtMillis(),
                  ending.durationMillis(),
                  ending.failure()));
    }
  }

  /** An attempt of a case that may have others in other files, with the same word for it. */
  public void tellAttempt(String series, ReportedCase test) {
    goesOn = goesOn && sink.attempt(series, test);
  }

  /** A failure outside of all tests, as a failed test of the name of what could not run. */
  public void tellFault(String source, String name, String message, String stack) {
    tell(ReportedCase.once(source, "", name, name, Ending.of(Outcome.ERRORED, message, stack)));
  }

  /** The file was read as a test report. */
  public void isReport() {
    sink.isReport(file);
  }

  /** The report says that so many tests failed to the end, beside what it said before. */
  public void announce(double failures) {
    announced += (long) Math.clamp(failures, 0, 1e9);
  }

  public void announce(long failures) {
    announced += failures;
  }

  /** The file was read to its end. */
  public void ends() {
    if (goesOn && found < announced) {
      sink.missing(new Missing(file, announced, found));
    }
  }

  public void unreadable(int line, String reason) {
    sink.skipped(Skipped.unreadable(file, line, reason));
  }

  public void ignored(String reason) {
    sink.skipped(Skipped.ignored(file, reason));
  }

  /** False when the sink has enough. */
  public boolean goesOn() {
    return goesOn;
  }
}
