package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.Svg;
import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.time.Instant;
import java.util.List;

/** One small box for each run or day, in the order of time, by the share that failed. */
public record HistoryStrip(String title, List<Piece> pieces) {
  private static final int WIDEST = 760;
  private static final int HEIGHT = 26;
  private static final int LINE_GAP = 4;

  public HistoryStrip {
    pieces = List.copyOf(pieces);
  }

  /** An empty address is no link; no runs at all is a piece too. */
  public record Piece(Instant at, long runs, long failures, String href) {
    double share() {
      return runs <= 0 ? 0 : Math.clamp((double) failures / runs, 0, 1);
    }

    /** Also told by its height, for those who do not see the colour. */
    String style() {
      if (runs <= 0) {
        return "none";
      }
      return failures <= 0 ? "good" : share() < 0.1 ? "few" : share() < 0.5 ? "some" : "most";
    }

    String words() {
      return Ticks.moment(at)
          + ": "
          + (runs <= 0
              ? "no runs"
              : Unit.COUNT.write((double) failures) + " of " + Unit.COUNT.write((double) runs) + " failed");
    }
  }

  public String svg() {
    if (pieces.isEmpty()) {
      return Canvas.empty(title + ": no runs yet.");
    }
    int step = Math.clamp(WIDEST / pieces.size(), 6, 14);
    int columns = Math.min(pieces.size(), WIDEST / step);
    int lines = Math.ceilDiv(pieces.size(), columns);
    var svg = new Svg();
    Canvas.start(svg, title, columns * step, lines * (HEIGHT + LINE_GAP) - LINE_GAP, "group");
    for (int i = 0; i < pieces.size(); i++) {
      Piece piece = pieces.get(i);
      int x = i % columns * step;
      int y = i / columns * (HEIGHT + LINE_GAP);
      StackedBars.link(svg, piece.href(), piece.words());
      svg.leaf(
          "rect",
          "class",
          "piece back",
          "x",
          x,
          "y",
          y,
          "width",
          step - 2,
          "height",
          HEIGHT,
          "rx",
          2);
      int height = height(piece);
      svg.leaf(
          "rect",
          "class",
          "piece " + piece.style(),
          "x",
          x,
          "y",
          y + HEIGHT - height,
          "width",
          step - 2,
          "height",
          height,
          "rx",
          2);
      svg.close(piece.href().isEmpty() ? "g" : "a");
    }
    return svg.close("svg").toString();
  }

  private static int height(Piece piece) {
    return switch (piece.style()) {
      case "none" -> 3;
      case "good" -> HEIGHT / 2;
      default -> HEIGHT / 2 + (int) Math.ceil(piece.share() * HEIGHT / 2);
    };
  }

  public TextTable table() {
    List<List<Cell>> rows =
        pieces.stream()
            .map(
                p ->
                    List.of(
                        new Cell(Ticks.moment(p.at()), p.href()),
                        Cell.of(p.runs()),
                        Cell.of(p.failures()),
                        Cell.of(p.runs() <= 0 ? "" : Unit.SHARE.write(p.share()))))
            .toList();
    return new TextTable(List.of("Time", "Runs", "Failed", "Share"), rows);
  }
}
