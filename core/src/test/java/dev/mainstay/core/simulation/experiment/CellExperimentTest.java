package dev.mainstay.core.simulation.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mainstay.core.simulation.Comparison;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CellExperimentTest {
  private static final Comparison.Progress SILENT = Comparison.Progress.SILENT;

  private static CellExperiment experiment(String cell, List<Long> seeds) {
    var cells = List.of(ExperimentCell.parse(cell));
    return new CellExperiment(cells, 1, seeds, List.of(0, 2), List.of("zuul-lanes", "oracle"));
  }

  @Test
  void a_budget_buys_time_with_minutes_and_nothing_beats_the_oracle() {
    CellResult result = only(experiment("90/90/failures=20%", List.of(1L, 2L)), RunLog.NONE);

    assertThat(result.lines())
        .extracting(CellResult.Line::policy)
        .containsExactly("budget 0", "budget 2", "zuul-lanes", "oracle");
    CellResult.Line without = result.lines().getFirst();
    CellResult.Line with = result.lines().get(1);
    CellResult.Line oracle = result.lines().getLast();
    assertThat(with.spread(Figures::ratioP95).mean())
        .isLessThan(without.spread(Figures::ratioP95).mean());
    assertThat(with.spread(Figures::minutesOverOracle).mean())
        .isGreaterThan(without.spread(Figures::minutesOverOracle).mean());
    assertThat(without.spread(Figures::ratioP50).mean()).isGreaterThanOrEqualTo(1);
    assertThat(oracle.worlds())
        .hasSize(2)
        .allSatisfy(
            world -> {
              assertThat(world.ratioP99()).isEqualTo(1);
              assertThat(world.buildsPerChange()).isEqualTo(1);
              assertThat(world.minutesOverOracle()).isEqualTo(1);
              assertThat(world.falseEjections()).isZero();
              assertThat(world.greenShare()).isEqualTo(1);
            });
  }

  /** The grid and a cell of it are the same worlds, engine and yardstick. */
  @Test
  void a_cell_has_the_figures_of_the_grid() {
    var grid = new PublishedExperiment(List.of(100), List.of(60), 1, List.of(3L));
    var row = grid.run(SILENT).getFirst().result().rows().getFirst();

    Figures figures =
        only(experiment("100/60", List.of(3L)), RunLog.NONE).lines().getFirst().worlds().getFirst();

    assertThat(row.label()).isEqualTo("mainstay");
    assertThat(figures.ratioP50()).isEqualTo(row.ratio().p50());
    assertThat(figures.ratioP95()).isEqualTo(row.ratio().p95());
    assertThat(figures.ratioP99()).isEqualTo(row.ratio().p99());
    assertThat(figures.buildsPerChange()).isEqualTo(row.score().buildsPerChange());
    assertThat(figures.minutesPerChange()).isEqualTo(row.score().ciMinutesPerChange());
    assertThat(figures.events()).isEqualTo(row.score().events());
  }

  @Test
  void known_flakes_reject_fewer_good_changes() {
    CellResult result = only(experiment("100/100/flakes=10%", List.of(1L)), RunLog.NONE);

    assertThat(result.lines())
        .extracting(CellResult.Line::policy)
        .contains("budget 0, known flakes", "budget 2, known flakes");
    double unknown = result.lines().getFirst().spread(Figures::falseEjections).mean();
    double known = result.lines().get(2).spread(Figures::falseEjections).mean();
    assertThat(known).isLessThan(unknown);
  }

  @Test
  void what_is_known_is_not_run_again() {
    var log = new InMemory();
    CellResult first = only(experiment("50/50", List.of(1L)), log);
    assertThat(log.kept).hasSize(4);

    var told = new ArrayList<CellResult>();
    CellExperiment longer = experiment("50/50", List.of(1L, 2L));
    List<CellResult> second = longer.run(log, SILENT, told::add);

    assertThat(log.kept)
        .hasSize(8)
        .extracting(RunLog.Run::seed)
        .containsExactly(1L, 1L, 1L, 1L, 2L, 2L, 2L, 2L);
    assertThat(longer.runs()).isEqualTo(8);
    assertThat(told).isEqualTo(second);
    assertThat(second.getFirst().lines().getFirst().worlds().getFirst())
        .isEqualTo(first.lines().getFirst().worlds().getFirst());
  }

  @Test
  void a_run_of_other_hours_is_another_run() {
    var log = new InMemory();
    only(experiment("50/50", List.of(1L)), log);
    var cells = List.of(ExperimentCell.parse("50/50"));
    var shorter = new CellExperiment(cells, 0.5, List.of(1L), List.of(0), List.of());

    only(shorter, log);

    assertThat(log.kept).hasSize(5);
    assertThat(log.kept.getLast().hours()).isCloseTo(0.5, within(0.0));
  }

  private static CellResult only(CellExperiment experiment, RunLog log) {
    return experiment.run(log, SILENT, result -> {}).getFirst();
  }

  private static final class InMemory implements RunLog {
    private final Map<Run, Figures> known = new HashMap<>();
    private final List<Run> kept = new ArrayList<>();

    @Override
    public Optional<Figures> find(Run run) {
      return Optional.ofNullable(known.get(run));
    }

    @Override
    public void keep(Run run, Figures figures) {
      kept.add(run);
      known.put(run, figures);
    }
  }
}
