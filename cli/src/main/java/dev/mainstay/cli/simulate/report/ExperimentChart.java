package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.simulate.report.Svg.Anchor;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Small panels: one row per percentile, one column per arrival rate, a line per policy. The axis is
 * stretched where it matters, near 1.
 */
public final class ExperimentChart {
  private static final List<Double> TICKS =
      List.of(0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 10_000.0);
  private static final double STRETCH = 0.55;
  private static final double WIDTH = 1120;
  private static final double LEFT = 92;
  private static final double GAP = 22;
  private static final double PANEL_HEIGHT = 220;
  private static final double LEGEND_TOP = 82;
  private static final double LEGEND_LINE = 22;

  private record Measure(String name, ToDoubleFunction<Row> ratio) {}

  private static final List<Measure> MEASURES =
      List.of(
          new Measure("P50", row -> row.ratio().p50()),
          new Measure("P95", row -> row.ratio().p95()),
          new Measure("P99", row -> row.ratio().p99()));

  private final List<Cell> cells;
  private final List<Integer> rates;
  private final List<Integer> slots;
  private final List<String> policies;
  private final List<Double> legendAt = new ArrayList<>();
  private final double panelWidth;
  private final double top;
  private final Svg svg;

  private ExperimentChart(List<Cell> cells) {
    this.cells = cells;
    this.rates = List.copyOf(new TreeSet<>(cells.stream().map(Cell::arrivalsPerHour).toList()));
    this.slots = List.copyOf(new TreeSet<>(cells.stream().map(Cell::slots).toList()));
    this.policies = ExperimentReport.policies(cells);
    this.panelWidth = (WIDTH - LEFT - 20) / rates.size() - GAP;
    this.top = LEGEND_TOP + LEGEND_LINE * legendLines() + 32;
    this.svg = new Svg(WIDTH, top + MEASURES.size() * (PANEL_HEIGHT + GAP) + 44);
  }

  public static String svg(List<Cell> cells) {
    return new ExperimentChart(cells).draw();
  }

  private String draw() {
    svg.text(24, 32, Anchor.START, 19, Svg.INK, "Turnaround over the oracle's in the same world");
    svg.text(
        24,
        54,
        Anchor.START,
        13,
        Svg.FAINT,
        "1 is a policy that knows every outcome beforehand; the axis is stretched near it");
    legend();
    for (int i = 0; i < MEASURES.size(); i++) {
      double above = top + i * (PANEL_HEIGHT + GAP);
      svg.turnedText(26, above + PANEL_HEIGHT / 2, 14, Svg.INK, MEASURES.get(i).name + " / oracle");
      for (int j = 0; j < rates.size(); j++) {
        panel(LEFT + j * (panelWidth + GAP), above, MEASURES.get(i), rates.get(j), j == 0);
      }
    }
    for (int j = 0; j < rates.size(); j++) {
      double middle = LEFT + j * (panelWidth + GAP) + panelWidth / 2;
      double end = top + MEASURES.size() * (PANEL_HEIGHT + GAP) - GAP;
      svg.text(middle, top - 12, Anchor.MIDDLE, 13, Svg.INK, rates.get(j) + " changes/h");
      svg.text(middle, end + 40, Anchor.MIDDLE, 12, Svg.FAINT, "CI slots");
    }
    return svg.toString();
  }

  /** Places the legend and returns how many lines it takes. */
  private int legendLines() {
    int line = 0;
    double x = 24;
    for (String policy : policies) {
      double width = 48 + 7.6 * policy.length();
      if (x + width > WIDTH) {
        line++;
        x = 24;
      }
      legendAt.add(line * WIDTH + x);
      x += width;
    }
    return line + 1;
  }

  private void legend() {
    for (int i = 0; i < policies.size(); i++) {
      double x = legendAt.get(i) % WIDTH;
      double y = LEGEND_TOP + LEGEND_LINE * Math.floor(legendAt.get(i) / WIDTH);
      svg.rectangle(x, y - 7, 18, 5, Svg.colour(i), policies.get(i));
      svg.text(x + 24, y, Anchor.START, 13, Svg.INK, policies.get(i));
    }
  }

  private void panel(double left, double above, Measure measure, int rate, boolean first) {
    double bottom = above + PANEL_HEIGHT;
    List<Double> values =
        cells.stream()
            .flatMap(cell -> cell.result().rows().stream())
            .map(measure.ratio::applyAsDouble)
            .toList();
    LogScale scale = LogScale.covering(values, TICKS, STRETCH, bottom, above);
    for (double tick : scale.inside(TICKS)) {
      svg.line(left, scale.at(tick), left + panelWidth, scale.at(tick), Svg.GRID);
      if (first) {
        svg.text(left - 8, scale.at(tick) + 4, Anchor.END, 12, Svg.FAINT, "×" + number(tick));
      }
    }
    for (int count : slots) {
      svg.text(x(left, count), bottom + 16, Anchor.MIDDLE, 11, Svg.FAINT, Integer.toString(count));
    }
    svg.line(left, above, left, bottom, Svg.FAINT);
    svg.line(left, bottom, left + panelWidth, bottom, Svg.FAINT);
    for (int i = policies.size() - 1; i >= 0; i--) {
      curve(left, scale, measure, rate, i);
    }
  }

  private void curve(double left, LogScale scale, Measure measure, int rate, int policy) {
    var points = new ArrayList<double[]>();
    for (Cell cell : cells) {
      if (cell.arrivalsPerHour() == rate) {
        double ratio =
            measure.ratio.applyAsDouble(ExperimentReport.row(cell, policies.get(policy)));
        double[] point = {x(left, cell.slots()), scale.at(ratio)};
        points.add(point);
        svg.dot(
            point[0],
            point[1],
            Svg.colour(policy),
            "%s, %s changes/h, %s slots: %s × %s"
                .formatted(
                    policies.get(policy),
                    rate,
                    cell.slots(),
                    measure.name,
                    ExperimentReport.factor(ratio)));
      }
    }
    svg.path(points, Svg.colour(policy), policies.get(policy));
  }

  private double x(double left, int count) {
    int steps = Math.max(1, slots.size() - 1);
    return left + 14 + (panelWidth - 28) * slots.indexOf(count) / steps;
  }

  private static String number(double value) {
    return value != Math.rint(value)
        ? Double.toString(value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }
}
