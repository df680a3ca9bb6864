package dev.mainstay.cli.simulate;

import dev.mainstay.core.simulation.Comparison.Progress;
import dev.mainstay.core.simulation.Contender;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/** One line that is written over and over, for people who wait at a terminal. */
public final class ProgressLine implements Progress {
  private static final long PATIENCE_NANOS = 1_000_000_000L;

  private final PrintWriter err;
  private final boolean terminal;
  private final int total;
  private final LongSupplier nanoClock;
  private final long begun;
  private int done;
  private boolean shown;

  public ProgressLine(PrintWriter err, boolean terminal, int total, LongSupplier nanoClock) {
    this.err = err;
    this.terminal = terminal;
    this.total = total;
    this.nanoClock = nanoClock;
    this.begun = nanoClock.getAsLong();
  }

  @Override
  public void ran(Contender contender, long seed) {
    done++;
    if (terminal && nanoClock.getAsLong() - begun > PATIENCE_NANOS) {
      shown = true;
      err.print(
          String.format(
              Locale.ROOT, "\r\u001b[K%d of %d runs, last: %s", done, total, contender.label()));
      err.flush();
    }
  }

  /** Takes the line away. */
  public void clear() {
    if (shown) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  public double seconds() {
    return (nanoClock.getAsLong() - begun) / 1e9;
  }
}
