package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.Svg;
import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Bars over time, each made of segments that lead to what is behind them. Segments are in the order
 * of the series; those from the eighth on share a colour.
 */
public record StackedBars(String title, Unit unit, List<String> series, List<Bar> bars) {
  static final int COLOURS = 8;

  public StackedBars {
    series = List.copyOf(series);
    bars = List.copyOf(bars);
  }

  /** One step of time, with as many segments as there are series. */
  public record Bar(Instant at, Instant until, List<Segment> segments) {
    public Bar {
      segments = List.copyOf(segments);
    }

    double total() {
      return segments.stream().mapToDouble(s -> Unit.safe(s.value())).sum();
    }
  }

  /** A value, and where it leads; an empty address is no link. */
  public record Segment(double value, String href) {}

  public String svg() {
    double most = bars.stream().mapToDouble(Bar::total).max().orElse(0);
    if (most <= 0) {
      return Canvas.empty(title + ": nothing in this time.");
    }
    var keys = new ArrayList<Canvas.Key>();
    for (int i = 0; i < series.size(); i++) {
      keys.add(new Canvas.Key(series.get(i), colour(i)));
    }
    var canvas = new Canvas(title, bars.getFirst().at(), bars.getLast().until(), most, unit, keys);
    bars.forEach(bar -> draw(canvas, bar));
    return canvas.end();
  }

  static String colour(int series) {
    return "s" + Math.min(series + 1, COLOURS);
  }

  private void draw(Canvas canvas, Bar bar) {
    double left = canvas.x(bar.at());
    double room = canvas.x(bar.until()) - left;
    double gap = Math.min(room * 0.2, 6);
    double below = 0;
    for (int i = 0; i < Math.min(series.size(), bar.segments().size()); i++) {
      Segment segment = bar.segments().get(i);
      double value = Unit.safe(segment.value());
      if (value > 0) {
        double top = canvas.y(below + value);
        double height = Math.max(0.5, canvas.y(below) - top);
        Svg svg = canvas.svg();
        String what = Ticks.moment(bar.at()) + ": " + series.get(i) + " " + unit.write(value);
        link(svg, segment.href(), what);
        svg.leaf(
            "rect",
            "class",
            (room < 6 ? "segment thin " : "segment ") + colour(i),
            "x",
            Canvas.at(left + gap / 2),
            "y",
            Canvas.at(top),
            "width",
            Canvas.at(Math.max(0.5, room - gap)),
            "height",
            Canvas.at(height));
        svg.close(segment.href().isEmpty() ? "g" : "a");
        below += value;
      }
    }
  }

  static void link(Svg svg, String href, String what) {
    if (href.isEmpty()) {
      svg.open("g");
    } else {
      svg.open("a", "href", href, "aria-label", what);
    }
    svg.text("title", what);
  }

  public TextTable table() {
    var head = new ArrayList<>(List.of("Time"));
    head.addAll(series);
    var rows = new ArrayList<List<Cell>>();
    for (Bar bar : bars) {
      var row = new ArrayList<>(List.of(Cell.of(Ticks.moment(bar.at()))));
      for (int i = 0; i < series.size(); i++) {
        row.add(
            i < bar.segments().size()
                ? new Cell(unit.write(bar.segments().get(i).value()), bar.segments().get(i).href())
                : Cell.of(""));
      }
      rows.add(row);
    }
    return new TextTable(head, rows);
  }
}
