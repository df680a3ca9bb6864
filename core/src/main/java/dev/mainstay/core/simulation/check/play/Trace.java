package dev.mainstay.core.simulation.check.play;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The trace of a world, line by line, for people; or nothing at all, which is faster. */
public final class Trace {
  private final boolean kept;
  private final List<String> lines = new ArrayList<>();

  private Trace(boolean kept) {
    this.kept = kept;
  }

  public static Trace kept() {
    return new Trace(true);
  }

  public static Trace none() {
    return new Trace(false);
  }

  public void say(Instant now, String mark, Supplier<String> what) {
    if (kept) {
      lines.add("%s %s %s".formatted(clock(now), mark, what.get()));
    }
  }

  /** Hours, minutes and seconds since the beginning. */
  static String clock(Instant at) {
    Duration t = Duration.between(Agenda.START, at);
    return "%4d:%02d:%02d".formatted(t.toHours(), t.toMinutesPart(), t.toSecondsPart());
  }

  public void add(String line) {
    lines.add(line);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }
}
