package dev.mainstay.cli.shell;

import java.io.PrintWriter;

/** One line that is written over and over, for whoever waits at a terminal; elsewhere nothing. */
public final class WorkLine implements AutoCloseable {
  private static final long OFTEN_NANOS = 100_000_000L;

  private final PrintWriter err;
  private final boolean terminal;
  private long shownAt = System.nanoTime() - OFTEN_NANOS;
  private boolean shown;

  public WorkLine(Shell shell) {
    this.err = shell.err();
    this.terminal = shell.isTerminal();
  }

  public void say(String text) {
    if (terminal && System.nanoTime() - shownAt >= OFTEN_NANOS) {
      shownAt = System.nanoTime();
      shown = true;
      err.print("\r\u001b[K" + Table.harmless(text));
      err.flush();
    }
  }

  /** Takes the line away. */
  public void clear() {
    if (shown) {
      shown = false;
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  @Override
  public void close() {
    clear();
  }
}
