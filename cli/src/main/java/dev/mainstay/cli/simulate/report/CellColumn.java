package dev.mainstay.cli.simulate.report;

import dev.mainstay.core.simulation.experiment.Figures;
import dev.mainstay.core.simulation.experiment.Spread;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * One figure of a policy over the worlds of a cell: under {@code key} for programs, under {@code
 * header} for people.
 *
 * @param percent people read it as a percentage
 */
public record CellColumn(
    String key, String header, boolean percent, ToDoubleFunction<Figures> value) {

  /** All figures, in order. */
  public static final List<CellColumn> ALL =
      List.of(
          new CellColumn("ratioP50", "P50/oracle", false, Figures::ratioP50),
          new CellColumn("ratioP95", "P95/oracle", false, Figures::ratioP95),
          new CellColumn("ratioP99", "P99/oracle", false, Figures::ratioP99),
          new CellColumn("buildsPerChange", "builds/change", false, Figures::buildsPerChange),
          new CellColumn("minutesPerChange", "min/change", false, Figures::minutesPerChange),
          new CellColumn("minutesOverOracle", "min/oracle", false, Figures::minutesOverOracle),
          new CellColumn("falseEjections", "falsely", false, Figures::falseEjections),
          new CellColumn("greenShare", "green", true, Figures::greenShare));

  /** The figure as people read it: the mean, and the deviation where there are several worlds. */
  String shown(Spread spread, int worlds) {
    String mean = number(spread.mean());
    String whole = worlds > 1 ? mean + " ± " + number(spread.deviation()) : mean;
    return percent ? whole + " %" : whole;
  }

  private String number(double value) {
    double told = percent ? value * 100 : value;
    return String.format(Locale.ROOT, Math.abs(told) < 100 ? "%.2f" : "%.0f", told);
  }

  /** A mean or a deviation as programs read it. */
  public static double exact(double value) {
    return Math.rint(value * 10_000) / 10_000;
  }
}
