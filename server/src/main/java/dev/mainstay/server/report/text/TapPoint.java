package dev.mainstay.server.report.text;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A test point, with the suites around it as far as they are known, and what is said of it. */
final class TapPoint {
  private static final int MOST_DETAILS = 8_000;

  private final String name;
  private final boolean opens;
  private final Outcome outcome;
  private @Nullable StringBuilder details;
  private int duration = ReportedRun.UNKNOWN_DURATION;
  private String message = "";
  private boolean inMessage;
  private String suite = "";
  private String outermost = "";

  /** Reads what stands behind {@code ok} or {@code not ok}: number, description, directive. */
  TapPoint(String line, int from, boolean passed) {
    int end = endOfWords(line, from, line.length());
    opens = end > from && line.charAt(end - 1) == '{';
    end = opens ? endOfWords(line, from, end - 1) : end;
    int number = startOfWords(line, from, end);
    int digits = number;
    while (digits < end && Character.isDigit(line.charAt(digits))) {
      digits++;
    }
    int start = startOfWords(line, digits, end);
    start = start < end && line.charAt(start) == '-' ? startOfWords(line, start + 1, end) : start;
    Outcome ended = passed ? Outcome.PASSED : Outcome.FAILED;
    int directive = line.indexOf('#') < 0 ? -1 : line.lastIndexOf('#', end - 1);
    if (directive == start || (directive > start && line.charAt(directive - 1) != '\\')) {
      String word = line.substring(directive + 1, end).strip().toLowerCase(Locale.ROOT);
      if (word.startsWith("skip") || word.startsWith("todo")) {
        ended = Outcome.SKIPPED;
        end = endOfWords(line, start, directive);
      } else if (word.startsWith("time=")) {
        duration = time(word.substring("time=".length()));
        end = endOfWords(line, start, directive);
      }
    }
    outcome = ended;
    name =
        start < end
            ? line.substring(start, end)
            : ("test " + line.substring(number, digits)).strip();
  }

  private static int endOfWords(String line, int from, int to) {
    int end = to;
    while (end > from && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  private static int startOfWords(String line, int from, int to) {
    int start = from;
    while (start < to && Character.isWhitespace(line.charAt(start))) {
      start++;
    }
    return start;
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

  /** A line of the block of YAML below the point, of which the text begins at an index. */
  void says(String text, String line, int indent) {
    if (text.startsWith("duration_ms:")) {
      int thousandfold =
          ReportTimes.durationMillis(text.substring("duration_ms:".length()).strip());
      duration = thousandfold < 0 ? duration : ReportTimes.duration(thousandfold, 0.001);
    }
    if (!hasFailed() || text.equals("...")) {
      return;
    }
    if (message.isEmpty() && inMessage) {
      message = text;
    } else if (message.isEmpty() && (text.startsWith("message:") || text.startsWith("error:"))) {
      String said = text.substring(text.indexOf(':') + 1).strip();
      inMessage = said.startsWith("|") || said.startsWith(">");
      message = inMessage ? "" : unquoted(said);
    }
    keep(line, indent);
  }

  /** A comment behind the point: what failed, where a test says it among its points. */
  void comments(String line) {
    if (hasFailed()) {
      String text = line.substring(startOfWords(line, 1, line.length()));
      message = message.isEmpty() ? text : message;
      keep(text, 0);
    }
  }

  private void keep(String line, int from) {
    StringBuilder kept = details == null ? new StringBuilder(256) : details;
    if (kept.length() < MOST_DETAILS) {
      kept.append(line, from, Math.min(line.length(), from + MOST_DETAILS)).append('\n');
    }
    details = kept;
  }

  private static String unquoted(String text) {
    boolean quoted =
        text.length() > 1
            && (text.startsWith("\"") || text.startsWith("'"))
            && text.charAt(text.length() - 1) == text.charAt(0);
    return quoted ? text.substring(1, text.length() - 1) : text;
  }

  void tell(RunTeller teller) {
    String told = details == null ? "" : details.toString();
    teller.tellOnce(
        "",
        suite,
        outermost,
        name,
        Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, "", message, told));
  }
}
