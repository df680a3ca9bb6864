package dev.mainstay.bench.soak;

import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** What was done, how long each kind of it took, and what went wrong. */
final class Tally {
  private final Map<String, List<Double>> millis = new ConcurrentSkipListMap<>();
  private final Map<String, AtomicInteger> counts = new ConcurrentSkipListMap<>();
  private final List<String> faults = new CopyOnWriteArrayList<>();

  void say(String line) {
    System.out.printf(
        "%s  %s%n", LocalTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS), line);
  }

  void took(String what, long nanos) {
    List<Double> all =
        millis.computeIfAbsent(what, k -> Collections.synchronizedList(new ArrayList<>()));
    all.add(nanos / 1e6);
  }

  /** One more of what takes no time of ours. */
  void happened(String what) {
    counts.computeIfAbsent(what, k -> new AtomicInteger()).incrementAndGet();
  }

  int count(String what) {
    return counts.containsKey(what)
        ? counts.getOrDefault(what, new AtomicInteger()).get()
        : millis.getOrDefault(what, List.of()).size();
  }

  void fault(String what) {
    faults.add(what);
  }

  List<String> faults() {
    return List.copyOf(faults);
  }

  void print() {
    counts.forEach((what, count) -> System.out.printf("%-12s %,8d%n", what, count.get()));
    millis.forEach(
        (what, times) -> {
          double[] sorted = times.stream().mapToDouble(Double::doubleValue).sorted().toArray();
          System.out.printf(
              "%-12s %,8d: median %.1f ms, P95 %.1f ms, P99 %.1f ms, longest %.0f ms%n",
              what, sorted.length, at(sorted, 50), at(sorted, 95), at(sorted, 99), at(sorted, 100));
        });
  }

  private static double at(double[] sorted, int percent) {
    return sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)];
  }
}
