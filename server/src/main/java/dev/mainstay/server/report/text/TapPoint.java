package dev.mainstay.server.report.text;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.ReportedRun;
import java.util.Locale;

/** A test point, with the suites around it as far as they are known, and what is said of it. */
final class TapPoint {
  private static final int MOST_DETAILS = 8_000;

  private final String name;
  private final boolean opens;
  private final Outcome outcome;
  private final StringBuilder details = new StringBuilder();
  private int duration = ReportedRun.UNKNOWN_DURATION;
  private String message = "";
  private boolean inMessage;
  private String suite = "";
  private String outermost = "";

  /** Reads what stands behind {@code ok} or {@code not ok}: number, description, directive. */
  TapPoint(String rest, boolean passed) {
    String text = rest.strip();
    opens = text.endsWith("{");
    text = opens ? text.substring(0, text.length() - 1).stripTrailing() : text;
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    String number = text.substring(0, digits);
    String described = text.substring(digits).strip();
    described = described.startsWith("-") ? described.substring(1).strip() : described;
    Outcome ended = passed ? Outcome.PASSED : Outcome.FAILED;
    int directive = described.lastIndexOf('#');
    if (directive == 0 || (directive > 0 && described.charAt(directive - 1) != '\\')) {
      String word = described.substring(directive + 1).strip().toLowerCase(Locale.ROOT);
      if (word.startsWith("skip") || word.startsWith("todo")) {
        ended = Outcome.SKIPPED;
        described = described.substring(0, directive).strip();
      } else if (word.startsWith("time=")) {
        duration = time(word.substring("time=".length()));
        described = described.substring(0, directive).strip();
      }
    }
    outcome = ended;
    name = described.isEmpty() ? ("test " + number).strip() : described;
  }

  private static int time(String text) {
    boolean millis = text.endsWith("ms");
    String number = millis ? text.substring(0, text.length() - 2) : text.replace("s", "");
    int duration = ReportTimes.durationMillis(number);
    return millis && duration >= 0 ? ReportTimes.duration(duration, 0.001) : duration;
  }

  String name() {
    return name;
  }

  /** True where the points below it follow. */
  boolean opens() {
    return opens;
  }

  boolean hasFailed() {
    return outcome.isFailure();
  }

  /** This point is below another, and whatever is around that is told later. */
  void isIn(String outer) {
    suite = suite.isEmpty() ? outer : outer + " > " + suite;
    outermost = outer;
  }

  /** A line of the block of YAML below the point. */
  void says(String line) {
    String text = line.strip();
    if (message.isEmpty() && inMessage) {
      message = text;
    } else if (message.isEmpty() && (text.startsWith("message:") || text.startsWith("error:"))) {
      String said = text.substring(text.indexOf(':') + 1).strip();
      inMessage = said.startsWith("|") || said.startsWith(">");
      message = inMessage ? "" : unquoted(said);
    } else if (text.startsWith("duration_ms:")) {
      int thousandfold =
          ReportTimes.durationMillis(text.substring("duration_ms:".length()).strip());
      duration = thousandfold < 0 ? duration : ReportTimes.duration(thousandfold, 0.001);
    }
    if (!text.equals("...")) {
      keep(line);
    }
  }

  /** A comment behind the point: what failed, where a test says it among its points. */
  void comments(String line) {
    if (hasFailed()) {
      String text = line.replaceFirst("^#\\s*", "");
      message = message.isEmpty() ? text : message;
      keep(text);
    }
  }

  private void keep(String line) {
    if (details.length() < MOST_DETAILS) {
      details.append(line, 0, Math.min(line.length(), MOST_DETAILS)).append('\n');
    }
  }

  private static String unquoted(String text) {
    boolean quoted =
        text.length() > 1
            && (text.startsWith("\"") || text.startsWith("'"))
            && text.charAt(text.length() - 1) == text.charAt(0);
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  ReportedCase toCase() {
    return ReportedCase.once(
        "",
        suite,
        outermost,
        name,
        Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, "", message, details.toString()));
  }
}
