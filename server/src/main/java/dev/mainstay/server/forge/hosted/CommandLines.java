package dev.mainstay.server.forge.hosted;

import dev.mainstay.server.forge.Host;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The lines of a comment that may be commands: those that begin with a slash, outside of code. */
public final class CommandLines {
  /** Nobody sees it who does not look for it; by it and its author our own comment is found. */
  public static final String MARK = "<!-- mainstay -->";

  private static final int MOST_TEXT = 100_000;
  private static final int MOST_LINE = 200;
  private static final Pattern FENCE = Pattern.compile(" {0,3}(`{3,}|~{3,}).*");

  private CommandLines() {}

  /** None of a comment of ours. */
  public static List<String> of(String text) {
    var lines = new ArrayList<String>();
    if (text.startsWith(MARK)) {
      return lines;
    }
    Optional<String> fence = Optional.empty();
    Iterator<String> all = text.substring(0, Math.min(text.length(), MOST_TEXT)).lines().iterator();
    while (all.hasNext() && lines.size() < Host.MOST_LINES) {
      String line = all.next();
      Matcher mark = FENCE.matcher(line);
      if (mark.matches()) {
        fence =
            fence.isEmpty() ? Optional.of(mark.group(1)) : stillOpen(fence.get(), mark.group(1));
      } else if (fence.isEmpty() && line.startsWith("/")) {
        lines.add(line.substring(0, Math.min(line.length(), MOST_LINE)).strip());
      }
    }
    return lines;
  }

  /** A fence of the same kind, at least as long, ends the code. */
  private static Optional<String> stillOpen(String open, String mark) {
    return mark.startsWith(open) ? Optional.empty() : Optional.of(open);
  }
}
