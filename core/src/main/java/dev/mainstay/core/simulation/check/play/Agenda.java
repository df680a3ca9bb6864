package dev.mainstay.core.simulation.check.play;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;

/** The virtual clock: what is due, first one first, and among equals in the order it was noted. */
public final class Agenda {
  public static final Instant START = Instant.parse("2026-01-05T08:00:00Z");

  private record Due(Instant at, long order, Runnable what) {}

  private final PriorityQueue<Due> dues =
      new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
  private Instant now = START;
  private long noted;

  public Instant now() {
    return now;
  }

  public void at(Instant at, Runnable what) {
    dues.add(new Due(at.isBefore(now) ? now : at, noted++, what));
  }

  public void in(Duration delay, Runnable what) {
    at(now.plus(delay), what);
  }

  /** Moves the clock to the next thing due and hands it over. */
  public Optional<Runnable> next() {
    Due due = dues.poll();
    if (due == null) {
      return Optional.empty();
    }
    now = due.at();
    return Optional.of(due.what());
  }
}
