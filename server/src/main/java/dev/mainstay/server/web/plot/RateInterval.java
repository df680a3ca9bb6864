package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.PlainText;
import dev.mainstay.server.web.svg.Svg;
import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.util.List;

/** Rates from 0 to 1, each with the interval in which it truly lies: a dot and whiskers. */
public record RateInterval(String title, List<Rate> rates) {
  private static final int WIDTH = 620;
  private static final int NAME = 150;
  private static final int VALUE = 190;
  private static final int LINE = 26;

  public RateInterval {
    rates = List.copyOf(rates);
  }

  /** The ends are put in order, and around the rate. */
  public record Rate(String name, double rate, double low, double high, String href) {
    public Rate {
      rate = share(rate);
      low = Math.min(share(low), rate);
      high = Math.max(share(high), rate);
    }

    private static double share(double value) {
      return Math.min(1, Unit.safe(value));
    }

    String words() {
      return Unit.SHARE.write(rate)
          + " ("
          + Unit.SHARE.write(low)
          + " – "
          + Unit.SHARE.write(high)
          + ")";
    }
  }

  public String svg() {
    if (rates.isEmpty()) {
      return Canvas.empty(title + ": not enough runs to tell.");
    }
    var svg = new Svg();
    int bottom = rates.size() * LINE + 4;
    Canvas.start(svg, title, WIDTH, bottom + 20, "group");
    for (double tick : new double[] {0, 0.25, 0.5, 0.75, 1}) {
      String x = Canvas.at(x(tick));
      svg.leaf("line", "class", "grid", "x1", x, "x2", x, "y1", 2, "y2", bottom);
      svg.text(
          "text",
          Unit.SHARE.write(tick),
          "class",
          "tick",
          "x",
          x,
          "y",
          bottom + 15,
          "font-size",
          11,
          "text-anchor",
          "middle");
    }
    for (int i = 0; i < rates.size(); i++) {
      draw(svg, rates.get(i), 4 + i * LINE + LINE / 2);
    }
    return svg.close("svg").toString();
  }

  private static double x(double share) {
    return NAME + share * (WIDTH - NAME - VALUE);
  }

  private static void draw(Svg svg, Rate rate, int y) {
    StackedBars.link(svg, rate.href(), rate.name() + ": " + rate.words());
    svg.leaf("rect", "class", "reach", "x", 0, "y", y - LINE / 2, "width", WIDTH, "height", LINE);
    text(svg, rate.name(), "name", NAME - 18, y, NAME - 18, "end");
    double low = x(rate.low());
    double high = x(rate.high());
    svg.leaf(
        "line", "class", "whisker", "x1", Canvas.at(low), "x2", Canvas.at(high), "y1", y, "y2", y);
    for (double end : new double[] {low, high}) {
      String at = Canvas.at(end);
      svg.leaf("line", "class", "whisker", "x1", at, "x2", at, "y1", y - 5, "y2", y + 5);
    }
    svg.leaf("circle", "class", "dot s1", "cx", Canvas.at(x(rate.rate())), "cy", y, "r", 5);
    text(svg, rate.words(), "tick", WIDTH - VALUE + 22, y, VALUE - 22, "");
    svg.close(rate.href().isEmpty() ? "g" : "a");
  }

  private static void text(
      Svg svg, String text, String style, int x, int y, int room, String anchor) {
    String cut = PlainText.fit(text, room, 11);
    svg.text(
        "text", cut, "class", style, "x", x, "y", y + 4, "font-size", 11, "text-anchor", anchor);
  }

  public TextTable table() {
    List<List<Cell>> rows =
        rates.stream()
            .map(
                r ->
                    List.of(
                        new Cell(r.name(), r.href()),
                        Cell.of(Unit.SHARE.write(r.rate())),
                        Cell.of(Unit.SHARE.write(r.low())),
                        Cell.of(Unit.SHARE.write(r.high()))))
            .toList();
    return new TextTable(List.of("", "Rate", "At least", "At most"), rows);
  }
}
