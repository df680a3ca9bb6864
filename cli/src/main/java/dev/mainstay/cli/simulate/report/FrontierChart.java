package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.simulate.report.Svg.Anchor;
import dev.mainstay.core.simulation.experiment.CellResult;
import dev.mainstay.core.simulation.experiment.CellResult.Line;
import dev.mainstay.core.simulation.experiment.Figures;
import dev.mainstay.core.simulation.experiment.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What each extra build buys: turnaround against build minutes, both over the oracle's. One row of
 * panels per cell, one column per percentile; our budgets are joined by a line, every other policy
 * is a dot, and the oracle is where both axes begin.
 */
public final class FrontierChart {
  private static final Pattern BUDGET = Pattern.compile("budget (\\d+)(.*)");
  private static final List<Double> TICKS =
      List.of(
          0.5, 0.8, 1.0, 1.2, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 30.0, 100.0, 300.0, 1000.0, 10_000.0);
  private static final List<Double> MINUTE_TICKS =
      List.of(0.2, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0, 50.0, 100.0);
  private static final double STRETCH = 0.7;
  private static final double WIDTH = 1000;
  private static final double LEFT = 76;
  private static final double GAP = 38;
  private static final double PANEL_WIDTH = (WIDTH - LEFT - 24 - 2 * GAP) / 3;
  private static final double PANEL_HEIGHT = 250;
  private static final double ROW = PANEL_HEIGHT + 78;
  private static final double TOP = 112;
  private static final double DOT = 4;

  /** Numbers of budgets that are closer to the last one would hide it. */
  private static final double ROOM_OF_A_NUMBER = 14;

  private record Measure(String name, ToDoubleFunction<Figures> ratio) {}

  private static final List<Measure> MEASURES =
      List.of(
          new Measure("P50", Figures::ratioP50),
          new Measure("P95", Figures::ratioP95),
          new Measure("P99", Figures::ratioP99));

  private final List<CellResult> results;
  private final List<String> kinds;
  private final int worlds;
  private final Svg svg;

  private FrontierChart(int worlds, List<CellResult> results) {
    this.worlds = worlds;
    this.results = results;
    this.kinds =
        results.stream()
            .flatMap(result -> result.lines().stream())
            .map(line -> kind(line.policy()))
            .distinct()
            .toList();
    this.svg = new Svg(WIDTH, TOP + ROW * results.size() - 20);
  }

  public static String svg(int worlds, List<CellResult> results) {
    return new FrontierChart(worlds, results).draw();
  }

  private String draw() {
    svg.text(24, 32, Anchor.START, 19, Svg.INK, "What each extra build buys");
    String told =
        "turnaround against build minutes per change, both over the oracle's; %s; numbers are budgets"
            .formatted(worlds == 1 ? "one world" : "the mean of " + worlds + " worlds");
    svg.text(24, 54, Anchor.START, 13, Svg.FAINT, told);
    legend();
    for (int i = 0; i < results.size(); i++) {
      double above = TOP + ROW * i;
      CellResult result = results.get(i);
      svg.turnedText(22, above + PANEL_HEIGHT / 2, 13, Svg.INK, result.cell().name());
      LogScale across = across(result);
      for (int j = 0; j < MEASURES.size(); j++) {
        panel(result, MEASURES.get(j), across, LEFT + j * (PANEL_WIDTH + GAP), above);
      }
    }
    return svg.toString();
  }

  private void legend() {
    double x = 24;
    for (int i = 0; i < kinds.size(); i++) {
      svg.rectangle(x, 73, 18, 5, Svg.colour(i), kinds.get(i));
      svg.text(x + 24, 80, Anchor.START, 13, Svg.INK, kinds.get(i));
      x += 48 + 7.6 * kinds.get(i).length();
    }
    svg.dot(x + 9, 76, DOT, Svg.INK, "oracle");
    svg.text(x + 24, 80, Anchor.START, 13, Svg.INK, "oracle");
  }

  /** Places from 0, moved by the left edge of each panel. */
  private static LogScale across(CellResult result) {
    Stream<Double> minutes = result.lines().stream().map(FrontierChart::minutes);
    return LogScale.covering(
        Stream.concat(Stream.of(1.0), minutes).toList(), MINUTE_TICKS, 1, 0, PANEL_WIDTH - 14);
  }

  private static double minutes(Line line) {
    return line.spread(Figures::minutesOverOracle).mean();
  }

  private void panel(
      CellResult result, Measure measure, LogScale across, double left, double above) {
    double bottom = above + PANEL_HEIGHT;
    LogScale up = up(result, bottom, above);
    svg.text(left + PANEL_WIDTH / 2, above - 8, Anchor.MIDDLE, 13, Svg.INK, measure.name);
    for (double tick : up.inside(TICKS)) {
      svg.line(left, up.at(tick), left + PANEL_WIDTH, up.at(tick), Svg.GRID);
      svg.text(left - 6, up.at(tick) + 4, Anchor.END, 11, Svg.FAINT, "×" + number(tick));
    }
    for (double tick : across.inside(MINUTE_TICKS)) {
      double x = left + across.at(tick);
      svg.line(x, above, x, bottom, Svg.GRID);
      svg.text(x, bottom + 16, Anchor.MIDDLE, 11, Svg.FAINT, "×" + number(tick));
    }
    svg.text(
        left + PANEL_WIDTH / 2,
        bottom + 34,
        Anchor.MIDDLE,
        12,
        Svg.FAINT,
        "build minutes per change");
    svg.line(left, above, left, bottom, Svg.FAINT);
    svg.line(left, bottom, left + PANEL_WIDTH, bottom, Svg.FAINT);
    svg.dot(left + across.at(1), up.at(1), DOT, Svg.INK, "oracle: × 1 at × 1 minutes");
    for (String kind : kinds) {
      curve(result, measure, kind, across, up, left);
    }
  }

  private static LogScale up(CellResult result, double bottom, double above) {
    Stream<Double> ratios =
        result.lines().stream()
            .flatMap(line -> MEASURES.stream().map(m -> line.spread(m.ratio)))
            .map(ratio -> ratio.mean() + ratio.deviation());
    return LogScale.covering(
        Stream.concat(Stream.of(1.0), ratios).toList(), TICKS, STRETCH, bottom, above);
  }

  private void curve(
      CellResult result, Measure measure, String kind, LogScale across, LogScale up, double left) {
    String colour = Svg.colour(kinds.indexOf(kind));
    var points = new ArrayList<double[]>();
    double numbered = Double.NEGATIVE_INFINITY;
    for (Line line : result.lines()) {
      if (kind(line.policy()).equals(kind)) {
        Spread ratio = line.spread(measure.ratio);
        double x = left + across.at(minutes(line));
        double y = up.at(ratio.mean());
        double most = up.at(ratio.mean() + ratio.deviation());
        svg.line(x, up.at(ratio.mean() - ratio.deviation()), x, most, colour);
        svg.dot(x, y, DOT, colour, told(line, measure, ratio));
        Matcher budget = BUDGET.matcher(line.policy());
        if (budget.matches() && Math.abs(x - numbered) >= ROOM_OF_A_NUMBER) {
          svg.text(x + 6, y - 6, Anchor.START, 11, Svg.INK, budget.group(1));
          numbered = x;
        }
        points.add(new double[] {x, y});
      }
    }
    if (points.size() > 1) {
      svg.path(points, colour, kind);
      numberLast(result, kind, points, numbered);
    }
  }

  /** The last budget is told below its dot where the numbers of others left no room above. */
  private void numberLast(CellResult result, String kind, List<double[]> points, double numbered) {
    double[] last = points.getLast();
    if (last[0] != numbered) {
      result.lines().stream()
          .map(Line::policy)
          .filter(policy -> kind(policy).equals(kind))
          .reduce((first, second) -> second)
          .map(BUDGET::matcher)
          .filter(Matcher::matches)
          .ifPresent(
              budget ->
                  svg.text(last[0] + 6, last[1] + 14, Anchor.START, 11, Svg.INK, budget.group(1)));
    }
  }

  private static String told(Line line, Measure measure, Spread ratio) {
    return String.format(
        Locale.ROOT,
        "%s: %s × %.2f ± %.2f at × %.2f minutes",
        line.policy(),
        measure.name,
        ratio.mean(),
        ratio.deviation(),
        minutes(line));
  }

  /** Budgets of our engine are of one kind, every other policy is its own. */
  private static String kind(String policy) {
    Matcher budget = BUDGET.matcher(policy);
    return budget.matches() ? "mainstay" + budget.group(2) : policy;
  }

  private static String number(double value) {
    return value != Math.rint(value)
        ? Double.toString(value)
        : String.format(Locale.ROOT, "%,.0f", value);
  }
}
