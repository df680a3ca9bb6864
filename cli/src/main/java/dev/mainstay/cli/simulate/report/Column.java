package dev.mainstay.cli.simulate.report;

import dev.mainstay.core.simulation.Comparison.Row;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One measured figure of a row: under {@code key} for programs, under {@code header} for people.
 *
 * @param header empty where it is too much detail for a table
 */
public record Column(
    String key, String header, Form form, int decimals, ToDoubleFunction<Row> value) {

  /** The form in which people read a figure. */
  public enum Form {
    PLAIN,
    RATIO,
    PERCENT
  }

  /** All figures, in order. */
  public static final List<Column> ALL =
      List.of(
          minutes("turnaroundP50Minutes", "P50 min", row -> row.score().turnaround().p50()),
          minutes("turnaroundP95Minutes", "P95 min", row -> row.score().turnaround().p95()),
          minutes("turnaroundP99Minutes", "P99 min", row -> row.score().turnaround().p99()),
          ratio("ratioP50", "P50/oracle", row -> row.ratio().p50()),
          ratio("ratioP95", "P95/oracle", row -> row.ratio().p95()),
          ratio("ratioP99", "P99/oracle", row -> row.ratio().p99()),
          new Column(
              "landedPerHour", "landed/h", Form.PLAIN, 1, row -> row.score().landedPerHour()),
          new Column(
              "buildsPerChange",
              "builds/change",
              Form.PLAIN,
              2,
              row -> row.score().buildsPerChange()),
          new Column(
              "ciMinutesPerChange",
              "min/change",
              Form.PLAIN,
              1,
              row -> row.score().ciMinutesPerChange()),
          count("wastedBuilds", "", row -> row.score().wastedBuilds()),
          new Column("wastedShare", "wasted", Form.PERCENT, 1, row -> row.score().wastedShare()),
          count("changes", "", row -> row.score().changes()),
          count("landed", "", row -> row.score().landed()),
          count("rejected", "rejected", row -> row.score().rejected()),
          count("falseEjections", "falsely", row -> row.score().falseEjections()),
          new Column("greenShare", "green", Form.PERCENT, 1, row -> row.score().greenShare()));

  /** The figure as people read it. */
  public String shown(Row row) {
    double number = value.applyAsDouble(row);
    return switch (form) {
      case PLAIN -> String.format(Locale.ROOT, "%." + decimals + "f", number);
      case RATIO -> String.format(Locale.ROOT, number < 100 ? "%.2f" : "%.0f", number);
      case PERCENT -> String.format(Locale.ROOT, "%." + decimals + "f %%", number * 100);
    };
  }

  /** The figure as programs read it: rounded to what was measured, never in exponents. */
  public double exact(Row row) {
    double scale = form == Form.PLAIN ? Math.pow(10, decimals + 1) : 10_000;
    return Math.rint(value.applyAsDouble(row) * scale) / scale;
  }

  public boolean isCount() {
    return form == Form.PLAIN && decimals == 0;
  }

  private static Column minutes(String key, String header, ToDoubleFunction<Row> value) {
    return new Column(key, header, Form.PLAIN, 1, value);
  }

  private static Column ratio(String key, String header, ToDoubleFunction<Row> value) {
    return new Column(key, header, Form.RATIO, 2, value);
  }

  private static Column count(String key, String header, ToDoubleFunction<Row> value) {
    return new Column(key, header, Form.PLAIN, 0, value);
  }
}
