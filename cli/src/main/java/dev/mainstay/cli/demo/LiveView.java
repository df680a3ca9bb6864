package dev.mainstay.cli.demo;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The queue as it works: on a terminal a picture that is drawn over and over, elsewhere one line
 * for each change.
 */
final class LiveView {
  private static final int TITLE_WIDTH = 36;
  private static final int LINE_WIDTH = 118;

  private final PrintWriter out;
  private final boolean terminal;
  private final Map<Integer, String> said = new HashMap<>();
  private int drawn;

  LiveView(PrintWriter out, boolean terminal) {
    this.out = out;
    this.terminal = terminal;
  }

  /** Shows everybody: those in the queue in its order, then those whose story is over. */
  void show(double seconds, List<Entry> entries) {
    if (terminal) {
      draw(seconds, entries);
    } else {
      entries.forEach(entry -> tell(seconds, entry));
    }
    out.flush();
  }

  private void tell(double seconds, Entry entry) {
    String now = entry.state() + " " + entry.story();
    if (!now.equals(said.put(entry.number(), now))) {
      out.printf(Locale.ROOT, "%6.1f s  #%-3d %s%n", seconds, entry.number(), now.strip());
    }
  }

  private void draw(double seconds, List<Entry> entries) {
    var lines = new ArrayList<String>();
    lines.add(String.format(Locale.ROOT, "%.0f s", seconds));
    for (Entry entry : entries) {
      lines.add(line(entry));
    }
    var frame = new StringBuilder();
    if (drawn > 0) {
      frame.append("\u001b[").append(drawn).append('A');
    }
    for (String line : lines) {
      frame.append("\u001b[K").append(line).append('\n');
    }
    frame.append("\u001b[J");
    out.print(frame);
    drawn = lines.size();
  }

  private static String line(Entry entry) {
    String text =
        "  #%-3d %-36s %-16s %s"
            .formatted(
                entry.number(), cut(entry.title(), TITLE_WIDTH), entry.state(), entry.story());
    return colour(entry.state()) + cut(text, LINE_WIDTH) + "\u001b[0m";
  }

  private static String colour(String state) {
    return switch (state) {
      case "MERGED", "TESTS_PASSED" -> "\u001b[32m";
      case "FAILED", "PENDING_FAILURE" -> "\u001b[31m";
      case "TESTING" -> "\u001b[36m";
      default -> "\u001b[2m";
    };
  }

  private static String cut(String text, int width) {
    return text.length() <= width ? text : text.substring(0, width - 1) + "…";
  }
}
