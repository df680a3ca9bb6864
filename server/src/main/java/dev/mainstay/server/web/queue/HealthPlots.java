package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.plot.LineChart;
import dev.mainstay.server.web.plot.StackedBars;
import dev.mainstay.server.web.plot.Unit;
import dev.mainstay.server.web.queue.HealthNumbers.Health;
import dev.mainstay.server.web.queue.HealthNumbers.Left;
import dev.mainstay.server.web.queue.HealthNumbers.Quantiles;
import dev.mainstay.server.web.queue.HealthNumbers.Step;
import dev.mainstay.server.web.svg.TextTable;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

/** The plots of a queue's health, each with the same as a table. */
public final class HealthPlots {
  private final Health health;
  private final String left;
  private final Duration step;

  private HealthPlots(Health health, String left) {
    this.health = health;
    this.left = left;
    this.step = health.step().equals("HOUR") ? Duration.ofHours(1) : Duration.ofDays(1);
  }

  /** A plot as SVG, and as a table. */
  public record Plot(String title, String svg, TextTable table) {}

  /** {@code left} is the address of the list that a bar leads to. */
  static List<Plot> of(Health health, String left) {
    var plots = new HealthPlots(health, left);
    return List.of(plots.leaving(), plots.time(), plots.parts(), plots.depth(), plots.builds());
  }

  private Plot leaving() {
    List<String> codes = health.reasons().stream().map(Left::code).toList();
    var bars =
        new StackedBars(
            "Why pull requests left",
            Unit.COUNT,
            codes.stream().map(HealthPlots::words).toList(),
            health.steps().stream().map(s -> bar(s, codes)).toList());
    return new Plot(bars.title(), bars.svg(), bars.table());
  }

  private StackedBars.Bar bar(Step one, List<String> codes) {
    Instant at = Instant.parse(one.at());
    return new StackedBars.Bar(
        at, at.plus(step), codes.stream().map(code -> segment(one, code, at)).toList());
  }

  private StackedBars.Segment segment(Step one, String code, Instant at) {
    int count = one.left().stream().filter(l -> l.code().equals(code)).mapToInt(Left::count).sum();
    String href =
        "%s?reason=%s&since=%s&until=%s"
            .formatted(
                left,
                Address.encoded(code),
                Address.encoded(at.toString()),
                Address.encoded(at.plus(step).toString()));
    return new StackedBars.Segment(count, count == 0 ? "" : href);
  }

  private static String words(String code) {
    return code.replace('_', ' ');
  }

  private Plot time() {
    return line(
        "Time in queue of what merged: half, and 95 %",
        Unit.SECONDS,
        LineChart.Second.BAND,
        "half within",
        "95 % within",
        s -> quantile(s.timeInQueueSeconds(), Quantiles::p50),
        s -> quantile(s.timeInQueueSeconds(), Quantiles::p95));
  }

  /** The halves of the parts do not add up to the half of the whole; each is its own. */
  private Plot parts() {
    var bars =
        new StackedBars(
            "Where the time went (medians)",
            Unit.SECONDS,
            List.of("waiting", "tested", "passed, blocked by those ahead"),
            health.steps().stream().map(this::partsOf).toList());
    return new Plot(bars.title(), bars.svg(), bars.table());
  }

  private StackedBars.Bar partsOf(Step one) {
    Instant at = Instant.parse(one.at());
    return new StackedBars.Bar(
        at,
        at.plus(step),
        List.of(
            part(one.waitingSeconds()), part(one.testingSeconds()), part(one.blockedSeconds())));
  }

  private static StackedBars.Segment part(Optional<Quantiles> seconds) {
    return new StackedBars.Segment(seconds.map(Quantiles::p50).orElse(0.0), "");
  }

  private Plot depth() {
    return line(
        "Depth against slots",
        Unit.COUNT,
        LineChart.Second.LIMIT,
        "deepest",
        "slots",
        s -> OptionalDouble.of(s.depthMax()),
        s -> OptionalDouble.of(s.slots()));
  }

  private Plot builds() {
    return line(
        "Builds for each change that landed",
        Unit.COUNT,
        LineChart.Second.LIMIT,
        "builds per change",
        "one build each",
        s -> s.buildsPerChange().map(OptionalDouble::of).orElse(OptionalDouble.empty()),
        s -> OptionalDouble.of(1));
  }

  private Plot line(
      String title,
      Unit unit,
      LineChart.Second kind,
      String first,
      String other,
      Function<Step, OptionalDouble> value,
      Function<Step, OptionalDouble> second) {
    var chart =
        new LineChart(
            title,
            unit,
            kind,
            first,
            other,
            health.steps().stream()
                .map(
                    s ->
                        new LineChart.Moment(
                            Instant.parse(s.at()), value.apply(s), second.apply(s), ""))
                .toList());
    return new Plot(title, chart.svg(), chart.table());
  }

  private static OptionalDouble quantile(
      Optional<Quantiles> of, Function<Quantiles, Double> which) {
    return of.map(which).map(OptionalDouble::of).orElse(OptionalDouble.empty());
  }
}
