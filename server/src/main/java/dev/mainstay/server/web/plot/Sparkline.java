package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.Svg;
import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.util.ArrayList;
import java.util.List;

/** A line so small that it stands in a row of text: how something went, without numbers. */
public record Sparkline(String title, Unit unit, List<Double> values) {
  private static final int WIDTH = 120;
  private static final int HEIGHT = 28;
  private static final int PAD = 3;

  public Sparkline {
    values = List.copyOf(values);
  }

  public String svg() {
    if (values.isEmpty()) {
      return new Svg().text("span", "no data", "class", "plot-empty").toString();
    }
    double most = values.stream().mapToDouble(Unit::safe).max().orElse(0);
    var svg = new Svg();
    svg.open("span", "class", "sparkline");
    Canvas.start(svg, title + ": " + summary(), WIDTH, HEIGHT, "img");
    svg.text("title", title + ": " + summary());
    var d = new StringBuilder();
    double x = 0;
    double y = 0;
    for (int i = 0; i < values.size(); i++) {
      x = PAD + (values.size() == 1 ? 0.5 : (double) i / (values.size() - 1)) * (WIDTH - 2 * PAD);
      double share = most > 0 ? Unit.safe(values.get(i)) / most : 0;
      y = HEIGHT - PAD - share * (HEIGHT - 2 * PAD);
      d.append(i == 0 ? "M" : "L").append(Canvas.at(x)).append(' ').append(Canvas.at(y));
    }
    svg.leaf("path", "class", "line s1", "d", values.size() == 1 ? d + "h0.1" : d.toString());
    svg.leaf("circle", "class", "dot s1", "cx", Canvas.at(x), "cy", Canvas.at(y), "r", 2.5);
    return svg.close("svg").close("span").toString();
  }

  private String summary() {
    double most = values.stream().mapToDouble(Unit::safe).max().orElse(0);
    return "now " + unit.write(values.getLast()) + ", at most " + unit.write(most);
  }

  public TextTable table() {
    var rows = new ArrayList<List<Cell>>();
    for (int i = 0; i < values.size(); i++) {
      rows.add(List.of(Cell.of(i + 1), Cell.of(unit.write(values.get(i)))));
    }
    return new TextTable(List.of("", title), rows);
  }
}
