package dev.mainstay.core.simulation.experiment;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The results of one cell: every policy in every world. */
public record CellResult(ExperimentCell cell, List<Line> lines) {

  public CellResult {
    lines = List.copyOf(lines);
  }

  /** One policy, in the worlds in the order of their seeds. */
  public record Line(String policy, List<Figures> worlds) {

    public Line {
      worlds = List.copyOf(worlds);
    }

    public Spread spread(ToDoubleFunction<Figures> figure) {
      return Spread.of(worlds.stream().mapToDouble(figure));
    }
  }
}
