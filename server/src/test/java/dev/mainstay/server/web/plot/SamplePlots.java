package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.plot.LineChart.Moment;
import dev.mainstay.server.web.plot.LineChart.Second;
import dev.mainstay.server.web.svg.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Charts of so many points, with values by a function. */
final class SamplePlots {
  /** Phases and ranges have no table of their own: their pages tell them one by one. */
  private static final TextTable TOLD_BY_ITS_PAGE = new TextTable(List.of(), List.of());

  static final Instant START = Instant.parse("2026-01-05T00:00:00Z");
  private static final List<String> REASONS =
      List.of(
          "merged",
          "test_failed",
          "test_timeout",
          "merge_conflict",
          "cancelled_by_user",
          "head_moved",
          "closed",
          "ci_never_started");

  private SamplePlots() {}

  record Drawn(String svg, TextTable table) {}

  static List<Drawn> all(int size, Duration step, IntToDoubleFunction value) {
    StackedBars bars = bars(size, step, value);
    LineChart band = band(size, step, value);
    LineChart limit = limit(size, step, value);
    var spark =
        new Sparkline(
            "depth", Unit.COUNT, IntStream.range(0, size).mapToDouble(value).boxed().toList());
    return List.of(
        new Drawn(bars.svg(), bars.table()),
        new Drawn(band.svg(), band.table()),
        new Drawn(limit.svg(), limit.table()),
        new Drawn(spark.svg(), spark.table()),
        new Drawn(ranges(Math.min(size, 40), value).svg(), TOLD_BY_ITS_PAGE),
        new Drawn(phases(size, step, value).svg(), TOLD_BY_ITS_PAGE));
  }

  static RangeRows ranges(int size, IntToDoubleFunction value) {
    return new RangeRows(
        "waits",
        "builds",
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    new RangeRows.Row(
                        "settings <b>\"'& number " + i,
                        value.applyAsDouble(i),
                        value.applyAsDouble(i + 1),
                        value.applyAsDouble(i + 2),
                        value.applyAsDouble(i + 3)))
            .toList());
  }

  static StackedBars bars(int size, Duration step, IntToDoubleFunction value) {
    var bars = new ArrayList<StackedBars.Bar>();
    for (int i = 0; i < size; i++) {
      var segments = new ArrayList<StackedBars.Segment>();
      for (int k = 0; k < REASONS.size(); k++) {
        segments.add(
            new StackedBars.Segment(
                value.applyAsDouble(i * 8 + k) / (k + 1), "/list?reason=" + k + "&at=" + i));
      }
      bars.add(new StackedBars.Bar(at(i, step), at(i + 1, step), segments));
    }
    return new StackedBars("Why pull requests left", Unit.COUNT, REASONS, bars);
  }

  static LineChart band(int size, Duration step, IntToDoubleFunction value) {
    List<Moment> moments =
        IntStream.range(0, size)
            .mapToObj(
                i -> {
                  double p50 = value.applyAsDouble(i) * 60;
                  boolean gap = size > 8 && i == size / 2;
                  return new Moment(
                      at(i, step),
                      gap ? OptionalDouble.empty() : OptionalDouble.of(p50),
                      gap ? OptionalDouble.empty() : OptionalDouble.of(p50 * 2.2 + 300),
                      "/day/" + i);
                })
            .toList();
    return new LineChart("Time in queue", Unit.SECONDS, Second.BAND, "p50", "p95", moments);
  }

  static LineChart limit(int size, Duration step, IntToDoubleFunction value) {
    List<Moment> moments =
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    new Moment(
                        at(i, step),
                        OptionalDouble.of(value.applyAsDouble(i)),
                        OptionalDouble.of(i < size / 2 ? 20 : 30),
                        ""))
            .toList();
    return new LineChart(
        "Depth against slots", Unit.COUNT, Second.LIMIT, "depth", "slots", moments);
  }

  static PhaseStrip phases(int size, Duration step, IntToDoubleFunction value) {
    return new PhaseStrip(
        "Phases",
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    new PhaseStrip.Phase(
                        at(i, step),
                        at(i + 1, step),
                        i % 2 == 0 ? 0.01 : value.applyAsDouble(i) / 60,
                        i == 0 ? "" : "between 1a2b3c4 and 9f8e7d6",
                        "/phase/" + i))
            .toList());
  }

  private static Instant at(int step, Duration length) {
    return START.plus(length.multipliedBy(step));
  }
}
