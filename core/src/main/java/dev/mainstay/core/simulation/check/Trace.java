package dev.mainstay.core.simulation.check;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** What happened, line by line, for people; or nothing at all, which is faster. */
final class Trace {
  private final boolean kept;
  private final List<String> lines = new ArrayList<>();

  private Trace(boolean kept) {
    this.kept = kept;
  }

  static Trace kept() {
    return new Trace(true);
  }

  static Trace none() {
    return new Trace(false);
  }

  void say(Instant now, String mark, Supplier<String> what) {
    if (kept) {
      lines.add("%s %s %s".formatted(clock(now), mark, what.get()));
    }
  }

  /** Hours, minutes and seconds since the beginning. */
  static String clock(Instant at) {
    Duration t = Duration.between(Agenda.START, at);
    return "%4d:%02d:%02d".formatted(t.toHours(), t.toMinutesPart(), t.toSecondsPart());
  }

  void add(String line) {
    lines.add(line);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }
}
