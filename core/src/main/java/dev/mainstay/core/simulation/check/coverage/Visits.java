package dev.mainstay.core.simulation.check.coverage;

import dev.mainstay.core.simulation.check.invariant.Observation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How often each corner was visited. */
public final class Visits {
  private final Map<Corner, Long> times = new LinkedHashMap<>();

  public Visits() {
    Corners.all().forEach(c -> times.put(c, 0L));
  }

  public void count(Observation o) {
    Corners.of(o).forEach(c -> times.merge(c, 1L, Long::sum));
  }

  public void add(Visits others) {
    others.times.forEach((corner, n) -> times.merge(corner, n, Long::sum));
  }

  public long of(Corner corner) {
    return times.getOrDefault(corner, 0L);
  }

  public List<Corner> never() {
    return times.keySet().stream().filter(c -> of(c) == 0).toList();
  }

  /** One line for each kind of corner, and one that names those never visited. */
  public List<String> told() {
    var lines = new ArrayList<String>();
    times.keySet().stream().map(Corner::kind).distinct().forEach(kind -> lines.add(told(kind)));
    List<String> never = never().stream().map(Corner::toString).toList();
    lines.add(
        never.isEmpty()
            ? "Every corner was visited."
            : "Never visited: " + String.join(", ", never) + ".");
    return lines;
  }

  private String told(String kind) {
    List<String> visited =
        times.keySet().stream()
            .filter(c -> c.kind().equals(kind) && of(c) > 0)
            .map(c -> c.name() + " " + of(c))
            .toList();
    return "  %s: %s".formatted(kind, visited.isEmpty() ? "none" : String.join(", ", visited));
  }
}
