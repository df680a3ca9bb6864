package dev.mainstay.server.forge.git.copy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The report of a push: a line of git about each reference. */
public record PushReport(Map<String, Line> lines) {
  /**
   * The line of a reference: a flag that says whether it is now as pushed, and in brackets why not.
   */
  public record Line(char flag, String summary) {
    public boolean ok() {
      return flag != '!';
    }

    /** True where the reference is not at the commit that we expected it at. */
    public boolean stale() {
      return summary.contains("(stale info)");
    }

    public boolean refusedThere() {
      return summary.startsWith("[remote rejected]");
    }

    public String why() {
      int open = summary.indexOf('(');
      return open < 0 ? summary : summary.substring(open + 1, summary.length() - 1);
    }
  }

  public static PushReport of(Git.Result push) {
    var lines = new HashMap<String, Line>();
    push.text()
        .lines()
        .map(line -> line.split("\t", 3))
        .filter(parts -> parts.length == 3 && parts[0].length() == 1)
        .forEach(
            parts -> {
              String to = parts[1].substring(parts[1].lastIndexOf(':') + 1);
              lines.put(to, new Line(parts[0].charAt(0), parts[2]));
            });
    return new PushReport(lines);
  }

  public Optional<Line> line(String reference) {
    return Optional.ofNullable(lines.get(reference));
  }

  public boolean ok(String reference) {
    return line(reference).filter(Line::ok).isPresent();
  }
}
