package dev.mainstay.server.web.plot;

import dev.mainstay.server.web.svg.TextTable;
import dev.mainstay.server.web.svg.TextTable.Cell;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * A line over time with another one: the upper end of a band, such as p95 above p50, or a limit,
 * such as slots above depth. Where a value is missing the line has a gap.
 */
public record LineChart(
    String title, Unit unit, Second kind, String line, String second, List<Moment> moments) {
  public LineChart {
    moments = List.copyOf(moments);
  }

  public enum Second {
    BAND,
    LIMIT
  }

  /** An empty address is no link. */
  public record Moment(Instant at, OptionalDouble value, OptionalDouble second, String href) {}

  public String svg() {
    if (moments.stream().noneMatch(m -> m.value().isPresent())) {
      return Canvas.empty(title + ": nothing in this time.");
    }
    double most =
        moments.stream()
            .mapToDouble(m -> Math.max(safe(m.value()), safe(m.second())))
            .max()
            .orElse(0);
    String style = kind == Second.BAND ? "band" : "limit";
    var keys = List.of(new Canvas.Key(line, "s1"), new Canvas.Key(second, style));
    var canvas =
        new Canvas(title, moments.getFirst().at(), moments.getLast().at(), most, unit, keys);
    for (List<Moment> run : runs(moments, m -> m.value().isPresent())) {
      boolean banded = kind == Second.BAND && run.stream().allMatch(m -> m.second().isPresent());
      if (banded && run.size() > 1) {
        String upper = points(canvas, run, Moment::second, false);
        canvas.svg().leaf("path", "class", "band", "d", upper + back(canvas, run) + "Z");
      }
      canvas.svg().leaf("path", "class", "line s1", "d", points(canvas, run, Moment::value, false));
    }
    if (kind == Second.LIMIT) {
      for (List<Moment> run : runs(moments, m -> m.second().isPresent())) {
        String path = points(canvas, run, Moment::second, true);
        canvas.svg().leaf("path", "class", "limit", "d", path);
      }
    }
    marks(canvas);
    return canvas.end();
  }

  private static double safe(OptionalDouble value) {
    return Unit.safe(value.orElse(0));
  }

  /** The longest parts without a gap. */
  private static List<List<Moment>> runs(List<Moment> all, Function<Moment, Boolean> there) {
    var runs = new ArrayList<List<Moment>>();
    boolean open = false;
    for (Moment moment : all) {
      if (there.apply(moment)) {
        if (!open) {
          runs.add(new ArrayList<>());
        }
        runs.getLast().add(moment);
      }
      open = there.apply(moment);
    }
    return runs;
  }

  private static String points(
      Canvas canvas, List<Moment> run, Function<Moment, OptionalDouble> value, boolean stepped) {
    var d = new StringBuilder();
    for (Moment moment : run) {
      String x = Canvas.at(canvas.x(moment.at()));
      String y = Canvas.at(canvas.y(safe(value.apply(moment))));
      if (d.isEmpty()) {
        d.append("M").append(x).append(' ').append(y);
      } else {
        d.append(stepped ? "H" + x + "V" + y : "L" + x + " " + y);
      }
    }
    return run.size() == 1 ? d + "h0.1" : d.toString();
  }

  private static String back(Canvas canvas, List<Moment> run) {
    return points(canvas, run.reversed(), Moment::value, false).replaceFirst("M", "L");
  }

  /** A place to point at for each moment, as wide as its time. */
  private void marks(Canvas canvas) {
    for (int i = 0; i < moments.size(); i++) {
      Moment moment = moments.get(i);
      if (moment.value().isPresent()) {
        double x = canvas.x(moment.at());
        double left = i == 0 ? x - 4 : (x + canvas.x(moments.get(i - 1).at())) / 2;
        double right =
            i + 1 == moments.size() ? x + 4 : (x + canvas.x(moments.get(i + 1).at())) / 2;
        StackedBars.link(canvas.svg(), moment.href(), words(moment));
        canvas
            .svg()
            .leaf(
                "rect",
                "class",
                "reach",
                "x",
                Canvas.at(left),
                "y",
                canvas.top(),
                "width",
                Canvas.at(Math.max(0.5, right - left)),
                "height",
                canvas.bottom() - canvas.top());
        canvas
            .svg()
            .leaf(
                "circle",
                "class",
                moments.size() > 60 ? "dot faint s1" : "dot s1",
                "cx",
                Canvas.at(x),
                "cy",
                Canvas.at(canvas.y(safe(moment.value()))),
                "r",
                3);
        canvas.svg().close(moment.href().isEmpty() ? "g" : "a");
      }
    }
  }

  private String words(Moment moment) {
    return Ticks.moment(moment.at())
        + ": "
        + line
        + " "
        + write(moment.value())
        + (moment.second().isPresent() ? ", " + second + " " + write(moment.second()) : "");
  }

  private String write(OptionalDouble value) {
    return value.isPresent() ? unit.write(value.getAsDouble()) : "";
  }

  public TextTable table() {
    List<List<Cell>> rows =
        moments.stream()
            .map(
                m ->
                    List.of(
                        new Cell(Ticks.moment(m.at()), m.href()),
                        Cell.of(write(m.value())),
                        Cell.of(write(m.second()))))
            .toList();
    return new TextTable(List.of("Time", line, second), rows);
  }
}
