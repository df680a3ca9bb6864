package dev.mainstay.cli.shell;

import java.io.PrintWriter;
import java.util.List;

/**
 * A place for a live view. On a terminal each view is drawn over the one before, cut to its width,
 * since a line that wraps would leave traces.
 */
public final class Screen {
  private final PrintWriter out;
  private final boolean terminal;
  private final int width;
  private int drawn;

  Screen(PrintWriter out, boolean terminal, int width) {
    this.out = out;
    this.terminal = terminal;
    this.width = width;
  }

  public static Screen of(Shell shell) {
    return new Screen(shell.out(), shell.isTerminal(), shell.width().orElse(Integer.MAX_VALUE));
  }

  public boolean isTerminal() {
    return terminal;
  }

  /** Replaces the view on a terminal. */
  public void draw(List<String> lines) {
    if (drawn > 0) {
      out.print("\u001b[" + drawn + "A");
    }
    out.print("\u001b[J");
    lines.forEach(line -> out.println(line.length() > width ? line.substring(0, width) : line));
    drawn = lines.size();
    out.flush();
  }

  /** Prints a line that stays. */
  public void print(String line) {
    out.println(line);
    drawn = 0;
    out.flush();
  }
}
