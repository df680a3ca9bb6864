package dev.mainstay.cli.shell;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;

/**
 * A place for a live view. On a terminal each view is drawn over the one before, cut to its width,
 * since a line that wraps would leave traces.
 */
public final class Screen {
  private static final int USUAL_WIDTH = 80;

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
    return new Screen(
        shell.out(), shell.isTerminal(), shell.isTerminal() ? terminalWidth() : USUAL_WIDTH);
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

  private static int terminalWidth() {
    try {
      var process =
          new ProcessBuilder("stty", "size")
              .redirectInput(new File("/dev/tty"))
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String line = process.inputReader().readLine();
      return line != null && line.matches("\\d+ [1-9]\\d{0,3}")
          ? Integer.parseInt(line.replaceFirst(".* ", ""))
          : USUAL_WIDTH;
    } catch (IOException e) {
      return USUAL_WIDTH;
    }
  }
}
