package dev.mainstay.server.report;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The failures that a report announces for its suites, against the failing elements found in them.
 * Only too few are missing: reports count attempts in different ways.
 */
public final class FailureCount {
  private static final int MOST_DIGITS = 9;

  private final Deque<Opened> open = new ArrayDeque<>();
  private long found;
  private long worstAnnounced;
  private long worstFound;

  /** A suite: its announcement, and how many failures had been found when it began. */
  private record Opened(long announced, long before) {}

  public void opens(long announced) {
    open.push(new Opened(announced, found));
  }

  public void found() {
    found++;
  }

  public void closes() {
    if (open.isEmpty()) {
      return;
    }
    Opened suite = open.pop();
    long inIt = found - suite.before();
    if (suite.announced() - inIt > worstAnnounced - worstFound) {
      worstAnnounced = suite.announced();
      worstFound = inIt;
    }
  }

  /** The widest gap of a file that was read to its end. */
  public void tell(String file, ReportSink sink) {
    while (!open.isEmpty()) {
      closes();
    }
    if (worstAnnounced > worstFound) {
      sink.missing(new Missing(file, worstAnnounced, worstFound));
    }
  }

  /** A count as an attribute has it; one that is no number announces nothing. */
  public static long number(String text) {
    String digits = text.strip();
    return digits.isEmpty() || digits.length() > MOST_DIGITS
        ? 0
        : Math.max(0, PlainTimes.number(digits, 0, digits.length()));
  }
}
