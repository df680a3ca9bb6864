package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.PlainText;
import dev.mainstay.server.web.svg.Svg;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rows to be compared: three percentiles of a time on a logarithmic axis, and beside them a bar of
 * what that costs.
 */
public record RangeRows(String title, String cost, List<Row> rows) {
  private static final List<String> NAMES = List.of("P50", "P95", "P99");
  private static final List<Double> TICKS =
      Stream.of(
              1,
              5,
              15,
              60,
              300,
              900,
              1800,
              3600,
              7200,
              14_400,
              28_800,
              86_400,
              259_200,
              864_000,
              2_592_000,
              8_640_000,
              86_400_000)
          .map(Integer::doubleValue)
          .toList();
  private static final int WIDTH = 720;
  private static final int LEFT = 240;
  private static final int MIDDLE = 530;
  private static final int COST = 558;
  private static final int RIGHT = WIDTH - 52;
  private static final int TOP = 34;
  private static final int ROW = 26;

  public RangeRows {
    rows = List.copyOf(rows);
  }

  /** Seconds, and what it costs in whatever the chart says. */
  public record Row(String name, double p50, double p95, double p99, double cost) {
    List<Double> seconds() {
      return Stream.of(p50, p95, p99)
          .map(s -> Math.clamp(Unit.safe(s), TICKS.getFirst(), TICKS.getLast()))
          .toList();
    }
  }

  public String svg() {
    if (rows.isEmpty()) {
      return Canvas.empty(title + ": nothing in this time.");
    }
    var svg = new Svg();
    int bottom = TOP + ROW * rows.size();
    Canvas.start(svg, title, WIDTH, bottom + 26, "group");
    legend(svg);
    Scale scale = Scale.of(rows);
    axis(svg, scale, bottom);
    double dearest = rows.stream().mapToDouble(r -> Unit.safe(r.cost())).max().orElse(0);
    for (int i = 0; i < rows.size(); i++) {
      draw(svg, scale, rows.get(i), TOP + ROW * i + ROW / 2.0, dearest);
    }
    return svg.close("svg").toString();
  }

  private record Scale(double least, double most) {
    static Scale of(List<Row> rows) {
      double low =
          rows.stream().flatMap(r -> r.seconds().stream()).min(Double::compare).orElse(1.0);
      double high =
          rows.stream().flatMap(r -> r.seconds().stream()).max(Double::compare).orElse(5.0);
      double least = TICKS.stream().filter(t -> t <= low).reduce((a, b) -> b).orElse(1.0);
      double most = TICKS.stream().filter(t -> t >= high && t > least).findFirst().orElse(high * 2);
      return new Scale(least, most);
    }

    double x(double seconds) {
      double share = Math.log(seconds / least) / Math.log(most / least);
      return LEFT + Math.clamp(share, 0, 1) * (MIDDLE - LEFT);
    }
  }

  private void legend(Svg svg) {
    int x = LEFT;
    for (int i = 0; i < NAMES.size(); i++) {
      key(svg, x, "s" + (i + 1), NAMES.get(i));
      x += 62;
    }
    key(svg, COST - 60, "s4", PlainText.fit(cost, WIDTH - COST + 30, 12));
  }

  private static void key(Svg svg, int x, String style, String name) {
    svg.leaf("rect", "class", "key " + style, "x", x, "y", 3, "width", 12, "height", 12, "rx", 3);
    svg.text("text", name, "class", "name", "x", x + 18, "y", 13, "font-size", 12);
  }

  private static void axis(Svg svg, Scale scale, int bottom) {
    double free = 0;
    for (double tick : TICKS) {
      if (tick >= scale.least() && tick <= scale.most()) {
        String x = Canvas.at(scale.x(tick));
        svg.leaf("line", "class", "grid", "x1", x, "x2", x, "y1", TOP - 4, "y2", bottom);
        String text = Unit.SECONDS.write(tick);
        double half = PlainText.width(text, 11) / 2;
        if (scale.x(tick) - half > free) {
          text(svg, text, "tick", scale.x(tick), bottom + 17, 11, "middle");
          free = scale.x(tick) + half + 6;
        }
      }
    }
    svg.leaf("line", "class", "base", "x1", COST, "x2", COST, "y1", TOP - 4, "y2", bottom);
  }

  private void draw(Svg svg, Scale scale, Row row, double y, double dearest) {
    List<Double> seconds = row.seconds();
    svg.open("g").text("title", words(row));
    String top = Canvas.at(y - ROW / 2.0);
    svg.leaf("rect", "class", "reach", "x", 0, "y", top, "width", WIDTH, "height", ROW);
    text(svg, PlainText.fit(row.name(), LEFT - 16, 12), "name", LEFT - 10, y + 4, 12, "end");
    svg.leaf(
        "line",
        "class",
        "base",
        "x1",
        Canvas.at(scale.x(seconds.getFirst())),
        "x2",
        Canvas.at(scale.x(seconds.getLast())),
        "y1",
        Canvas.at(y),
        "y2",
        Canvas.at(y));
    for (int i = seconds.size() - 1; i >= 0; i--) {
      svg.leaf(
          "circle",
          "class",
          "dot s" + (i + 1),
          "cx",
          Canvas.at(scale.x(seconds.get(i))),
          "cy",
          Canvas.at(y),
          "r",
          5);
    }
    double width = dearest == 0 ? 0 : Unit.safe(row.cost()) / dearest * (RIGHT - COST);
    svg.leaf(
        "rect",
        "class",
        "segment s4",
        "x",
        COST,
        "y",
        Canvas.at(y - 7),
        "width",
        Canvas.at(Math.max(0.5, width)),
        "height",
        14);
    text(svg, Unit.COUNT.write(row.cost()), "tick", COST + width + 6, y + 4, 11, "start");
    svg.close("g");
  }

  private static void text(
      Svg svg, String text, String style, double x, double y, int size, String anchor) {
    svg.text(
        "text",
        text,
        "class",
        style,
        "x",
        Canvas.at(x),
        "y",
        Canvas.at(y),
        "font-size",
        size,
        "text-anchor",
        anchor);
  }

  private String words(Row row) {
    return "%s: P50 %s, P95 %s, P99 %s; %s %s"
        .formatted(
            row.name(),
            Unit.SECONDS.write(row.p50()),
            Unit.SECONDS.write(row.p95()),
            Unit.SECONDS.write(row.p99()),
            cost,
            Unit.COUNT.write(row.cost()));
  }
}
