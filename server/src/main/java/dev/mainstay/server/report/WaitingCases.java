package dev.mainstay.server.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases that wait for the name of their file, which stands behind them in some reports. So many
 * wait at most; beyond a bound their texts are let go.
 */
public final class WaitingCases {
  private static final int MOST = 100_000;
  private static final long TEXT = 32L * 1024 * 1024;

  private final List<ReportedCase> cases = new ArrayList<>();
  private long text;
  private boolean failed;

  /** False where there is no room for another. */
  public boolean add(ReportedCase test) {
    if (cases.size() >= MOST) {
      return false;
    }
    failed |= test.attempts().getLast().outcome().isFailure();
    for (Ending attempt : test.attempts()) {
      text += attempt.textLength();
    }
    cases.add(
        text <= TEXT
            ? test
            : new ReportedCase(
                test.file(),
                test.className(),
                test.parent(),
                test.name(),
                test.attempts().stream().map(Ending::untold).toList()));
    return true;
  }

  /** True where one of those that wait failed. */
  public boolean hasFailed() {
    return failed;
  }

  /** Tells all of them as cases of a file. */
  public void tell(String file, String parent, RunTeller teller) {
    for (ReportedCase test : cases) {
      teller.tell(test.in(file, parent));
    }
    cases.clear();
    text = 0;
    failed = false;
  }
}
