package dev.mainstay.cli.simulate.report;

import dev.mainstay.cli.simulate.report.Svg.Anchor;
import dev.mainstay.core.simulation.Comparison.Row;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Three bars per policy: the turnaround at P50, P95 and P99, on a logarithmic axis of time. */
public final class TurnaroundChart {
  private static final double SHORTEST = 1 / 60.0;
  private static final List<Double> TICKS =
      List.of(
          SHORTEST, 5 / 60.0, 0.25, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0, 60.0, 120.0, 300.0, 720.0,
          1440.0, 4320.0, 14400.0, 43200.0, 144000.0, 1440000.0);
  private static final List<String> BARS = List.of("P50", "P95", "P99");
  private static final double BAR = 13;
  private static final double GROUP = 3 * BAR + 16;
  private static final double TOP = 104;
  private static final double WIDTH = 940;

  private TurnaroundChart() {}

  /**
   * The bars of one policy.
   *
   * @param minutes the turnaround at P50, P95 and P99
   * @param told what is said beside each bar, after its time
   */
  public record Group(String label, List<Double> minutes, List<String> told) {
    public Group {
      minutes = List.copyOf(minutes);
      told = List.copyOf(told);
    }

    static Group of(Row row) {
      var turnaround = row.score().turnaround();
      return new Group(
          row.label(),
          List.of(turnaround.p50(), turnaround.p95(), turnaround.p99()),
          Stream.of(row.ratio().p50(), row.ratio().p95(), row.ratio().p99())
              .map(ratio -> ", " + factor(ratio) + " × oracle")
              .toList());
    }
  }

  public static String svg(String subtitle, List<Row> rows) {
    return ofGroups(subtitle, rows.stream().map(Group::of).toList());
  }

  public static String ofGroups(String subtitle, List<Group> rows) {
    double left = 40 + 7.2 * rows.stream().mapToInt(row -> row.label().length()).max().orElse(0);
    double bottom = TOP + GROUP * rows.size();
    var svg = new Svg(WIDTH, bottom + 56);
    List<Double> values =
        rows.stream()
            .flatMap(row -> row.minutes().stream())
            .map(v -> Math.max(v, SHORTEST))
            .toList();
    LogScale scale = LogScale.covering(values, TICKS, 1, left, WIDTH - 150);
    heading(svg, subtitle);
    for (double tick : scale.inside(TICKS)) {
      svg.line(scale.at(tick), TOP - 6, scale.at(tick), bottom, Svg.GRID);
      svg.text(scale.at(tick), bottom + 18, Anchor.MIDDLE, 12, Svg.FAINT, time(tick));
    }
    svg.text(
        (left + WIDTH - 150) / 2,
        bottom + 42,
        Anchor.MIDDLE,
        13,
        Svg.INK,
        "turnaround, from submission to landing or rejection (logarithmic)");
    for (int i = 0; i < rows.size(); i++) {
      group(svg, scale, left, TOP + GROUP * i, rows.get(i));
    }
    svg.line(left, TOP - 6, left, bottom, Svg.FAINT);
    return svg.toString();
  }

  private static void heading(Svg svg, String subtitle) {
    svg.text(24, 32, Anchor.START, 19, Svg.INK, "How long a change waits");
    List<String> lines = List.of(subtitle.split("; ", 2));
    for (int i = 0; i < lines.size(); i++) {
      svg.text(24, 54 + 18 * i, Anchor.START, 13, Svg.FAINT, lines.get(i));
    }
    for (int i = 0; i < BARS.size(); i++) {
      double x = WIDTH - 220 + 68 * i;
      svg.rectangle(x, 20, 13, 13, Svg.colour(i), BARS.get(i));
      svg.text(x + 19, 31, Anchor.START, 13, Svg.INK, BARS.get(i));
    }
  }

  private static void group(Svg svg, LogScale scale, double left, double top, Group group) {
    svg.text(left - 12, top + 1.5 * BAR + 4.5, Anchor.END, 13, Svg.INK, group.label());
    for (int i = 0; i < BARS.size(); i++) {
      double y = top + BAR * i;
      double minutes = group.minutes().get(i);
      double end = scale.at(Math.max(minutes, SHORTEST));
      String told = time(minutes) + group.told().get(i);
      svg.rectangle(
          left,
          y,
          Math.max(end - left, 1),
          BAR - 2,
          Svg.colour(i),
          group.label() + " " + BARS.get(i) + ": " + told);
      svg.text(Math.max(end, left) + 6, y + BAR - 3.5, Anchor.START, 11, Svg.FAINT, told);
    }
  }

  private static String factor(double ratio) {
    return String.format(Locale.ROOT, ratio < 10 ? "%.2f" : "%.0f", ratio);
  }

  /** Minutes as people say them. */
  static String time(double minutes) {
    if (minutes < 1) {
      return trimmed(minutes * 60) + " s";
    }
    if (minutes < 120) {
      return trimmed(minutes) + " min";
    }
    return minutes < 2880 ? trimmed(minutes / 60) + " h" : trimmed(minutes / 1440) + " d";
  }

  private static String trimmed(double number) {
    String text = String.format(Locale.ROOT, number < 10 ? "%.1f" : "%.0f", number);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
