package dev.mainstay.server.report;

import java.util.ArrayList;
import java.util.List;

/**
 * Cases that wait for the name of their file, which stands behind them in some reports. So many
 * wait at most; beyond a bound their texts are let go.
 */
public final class WaitingCases {
  private static final int MOST = 100_000;

  private final List<ReportedCase> cases = new ArrayList<>();
  private Room names = new Room();
  private Room text = new Room();
  private boolean failed;

  /** False where there is no room for another. */
  public boolean add(ReportedCase test) {
    if (cases.size() >= MOST || (!names.take(test.nameLength()) && !cases.isEmpty())) {
      return false;
    }
    failed |= test.attempts().getLast().outcome().isFailure();
    cases.add(
        text.take(test.textLength())
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
    names = new Room();
    text = new Room();
    failed = false;
  }
}
