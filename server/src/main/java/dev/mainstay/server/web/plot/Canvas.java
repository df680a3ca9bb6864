package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.PlainText;
import dev.mainstay.server.web.svg.Svg;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** A chart's frame: a time axis below, a value axis on the left, and names of series on top. */
final class Canvas {
  static final int WIDTH = 560;
  private static final int PLOT_HEIGHT = 190;
  private static final int LEFT = 58;
  private static final int RIGHT = 16;
  private static final int FOOT = 26;
  private static final int LEGEND_LINE = 20;

  private final Svg svg = new Svg();
  private final Instant from;
  private final Instant to;
  private final List<Double> ticks;
  private final Unit unit;
  private final int top;

  Canvas(String title, Instant from, Instant to, double most, Unit unit, List<Key> keys) {
    this.from = from;
    this.to = to.isAfter(from) ? to : from.plusSeconds(1);
    this.unit = unit;
    this.ticks = Ticks.upTo(most, unit);
    this.top = 12 + lines(keys) * LEGEND_LINE;
    start(svg, title, WIDTH, top + PLOT_HEIGHT + FOOT, "group");
    legend(keys);
    grid();
  }

  /** The name of a series, and the class of its swatch. */
  record Key(String name, String style) {}

  static Svg start(Svg svg, String title, int width, int height, String role) {
    return svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "plot",
        "role",
        role,
        "aria-label",
        title,
        "width",
        width,
        "height",
        height,
        "viewBox",
        "0 0 " + width + " " + height);
  }

  /** A coordinate, to a tenth of a unit. */
  static String at(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  static String empty(String sentence) {
    return new Svg().text("p", sentence, "class", "plot-empty").toString();
  }

  private static int lines(List<Key> keys) {
    int lines = keys.isEmpty() ? 0 : 1;
    int x = LEFT;
    for (Key key : keys) {
      int width = width(key);
      if (x > LEFT && x + width > WIDTH) {
        lines++;
        x = LEFT;
      }
      x += width;
    }
    return lines;
  }

  private static int width(Key key) {
    return 36 + (int) PlainText.width(PlainText.fit(key.name(), 200, 12), 12);
  }

  private void legend(List<Key> keys) {
    int x = LEFT;
    int y = 12;
    for (Key key : keys) {
      if (x > LEFT && x + width(key) > WIDTH) {
        x = LEFT;
        y += LEGEND_LINE;
      }
      svg.leaf(
          "rect",
          "class",
          "key " + key.style(),
          "x",
          x,
          "y",
          y - 9,
          "width",
          12,
          "height",
          12,
          "rx",
          3);
      String name = PlainText.fit(key.name(), 200, 12);
      svg.text("text", name, "class", "name", "x", x + 18, "y", y + 1, "font-size", 12);
      x += width(key);
    }
  }

  private void grid() {
    for (double tick : ticks) {
      String y = at(y(tick));
      String style = tick == 0 ? "base" : "grid";
      svg.leaf("line", "class", style, "x1", LEFT, "x2", WIDTH - RIGHT, "y1", y, "y2", y);
      label(unit.write(tick), LEFT - 8, y(tick) + 4, "end");
    }
    double free = 0;
    for (Ticks.Time tick : Ticks.between(from, to)) {
      double half = PlainText.width(tick.text(), 11) / 2;
      double x = Math.clamp(x(tick.at()), LEFT, WIDTH - half - 1);
      if (x - half > free) {
        label(tick.text(), x, bottom() + 18, "middle");
        free = x + half + 6;
      }
    }
  }

  private void label(String text, double x, double y, String anchor) {
    svg.text(
        "text",
        text,
        "class",
        "tick",
        "x",
        at(x),
        "y",
        at(y),
        "font-size",
        11,
        "text-anchor",
        anchor);
  }

  double x(Instant time) {
    double span = Duration.between(from, to).toMillis();
    double share = Duration.between(from, time).toMillis() / span;
    return LEFT + Math.clamp(share, 0, 1) * (WIDTH - LEFT - RIGHT);
  }

  double y(double value) {
    return bottom() - Math.clamp(Unit.safe(value) / ticks.getLast(), 0, 1) * PLOT_HEIGHT;
  }

  int bottom() {
    return top + PLOT_HEIGHT;
  }

  int top() {
    return top;
  }

  Svg svg() {
    return svg;
  }

  String end() {
    return svg.close("svg").toString();
  }
}
