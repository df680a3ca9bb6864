package dev.mainstay.server.platform.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Counts the requests of a process by how they were answered, and how long that took. */
public final class Traffic {
  private static final List<Double> BOUNDS =
      List.of(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0);
  private static final double NANOS = 1e9;
  private static final int CLASSES = 6;

  private final LongAdder[] answers = adders(CLASSES);
  private final LongAdder[] withinBound = adders(BOUNDS.size() + 1);
  private final LongAdder nanos = new LongAdder();

  private static LongAdder[] adders(int count) {
    return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
  }

  void answered(int status) {
    answers[Math.clamp(status / 100, 0, CLASSES - 1)].increment();
  }

  /** An answer that follows the news for hours is no slow one: such are not told of here. */
  void took(long time) {
    double seconds = time / NANOS;
    int first = 0;
    while (first < BOUNDS.size() && seconds > BOUNDS.get(first)) {
      first++;
    }
    withinBound[first].increment();
    nanos.add(time);
  }

  /** Writes the numbers. */
  public void write(PrometheusText text) {
    text.family("mainstay_http_requests_total", "counter", "Requests, by how they were answered.");
    IntStream.range(2, CLASSES)
        .forEach(
            i ->
                text.sample(
                    "mainstay_http_requests_total", Map.of("status", i + "xx"), answers[i].sum()));
    long[] counts = Stream.of(withinBound).mapToLong(LongAdder::sum).toArray();
    List<Long> upTo =
        IntStream.range(0, BOUNDS.size())
            .mapToObj(i -> LongStream.of(counts).limit(i + 1).sum())
            .toList();
    text.family(
            "mainstay_http_request_duration_seconds",
            "histogram",
            "From the first line of a request to the end of its answer.")
        .histogram(
            "mainstay_http_request_duration_seconds",
            Map.of(),
            BOUNDS,
            upTo,
            nanos.sum() / NANOS,
            LongStream.of(counts).sum());
  }
}
