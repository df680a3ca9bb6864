package dev.mainstay.cli.simulate.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.simulation.Comparison.Result;
import dev.mainstay.core.simulation.Comparison.Row;
import dev.mainstay.core.simulation.Score;
import dev.mainstay.core.simulation.Score.Turnaround;
import dev.mainstay.core.simulation.experiment.PublishedExperiment.Cell;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class ReportsTest {
  private static final Row OURS = row("ours, \"best\" <&>", new Turnaround(30, 60, 90), 1);
  private static final Row SERIAL = row("serial", new Turnaround(9000, 18000, 27000), 300);

  private static Row row(String label, Turnaround turnaround, double ratio) {
    var score = new Score(480, 440, turnaround, 9.123, 1.5, 45.67, 12, 0.125, 3, 0.995, 1000);
    return new Row(label, score, new Turnaround(ratio, ratio, ratio));
  }

  private static List<Cell> grid() {
    var result = new Result(List.of(OURS, SERIAL), 0.5);
    return List.of(
        new Cell(100, 100, result),
        new Cell(100, 500, result),
        new Cell(500, 100, result),
        new Cell(500, 500, result));
  }

  @Test
  void the_table_lines_up() {
    assertThat(ComparisonReport.table(List.of(OURS, SERIAL)))
        .isEqualTo(
            """
            policy            P50 min  P95 min  P99 min  P50/oracle  P95/oracle  P99/oracle  landed/h  builds/change  min/change  wasted  rejected  falsely   green
            ----------------  -------  -------  -------  ----------  ----------  ----------  --------  -------------  ----------  ------  --------  -------  ------
            ours, "best" <&>     30.0     60.0     90.0        1.00        1.00        1.00       9.1           1.50        45.7  12.5 %        40        3  99.5 %
            serial             9000.0  18000.0  27000.0         300         300         300       9.1           1.50        45.7  12.5 %        40        3  99.5 %
            """);
  }

  @Test
  void csv_has_a_header_and_quotes_what_needs_it() {
    assertThat(ComparisonReport.csv(List.of(OURS)).lines())
        .containsExactly(
            "policy,turnaroundP50Minutes,turnaroundP95Minutes,turnaroundP99Minutes,ratioP50,ratioP95,"
                + "ratioP99,landedPerHour,buildsPerChange,ciMinutesPerChange,wastedBuilds,wastedShare,"
                + "changes,landed,rejected,falseEjections,greenShare",
            "\"ours, \"\"best\"\" <&>\",30,60,90,1,1,1,9.12,1.5,45.67,12,0.125,480,440,40,3,0.995");
  }

  @Test
  void the_chart_is_well_formed_and_shows_every_policy_and_percentile() throws Exception {
    Document svg = parsed(TurnaroundChart.svg("a < b; c & d", List.of(OURS, SERIAL)));

    String text = svg.getDocumentElement().getTextContent();
    assertThat(text).contains("ours, \"best\" <&>", "serial", "P50", "P95", "P99");
    assertThat(text).contains("30 min, 1.00 × oracle", "6.3 d, 300 × oracle", "a < b", "c & d");
    assertThat(svg.getElementsByTagName("rect").getLength()).isEqualTo(1 + 3 + 2 * 3);
  }

  @Test
  void bars_grow_with_their_values() throws Exception {
    Document svg = parsed(TurnaroundChart.svg("", List.of(OURS, SERIAL)));

    var bars = svg.getElementsByTagName("rect");
    double previous = 0;
    for (int i = 4; i < bars.getLength(); i++) {
      double width =
          Double.parseDouble(bars.item(i).getAttributes().getNamedItem("width").getNodeValue());
      assertThat(width).isGreaterThan(previous);
      previous = width;
    }
  }

  @Test
  void the_experiment_prints_a_grid_for_each_policy() {
    assertThat(ExperimentReport.tables(grid()))
        .contains(
            """
            serial: P50 / P95 / P99 over the oracle's
            changes/h        100 slots        500 slots
            ---------  ---------------  ---------------
            100        300 / 300 / 300  300 / 300 / 300
            500        300 / 300 / 300  300 / 300 / 300
            """);
    assertThat(ExperimentReport.csv(grid()).lines()).hasSize(1 + 4 * 2);
  }

  @Test
  void the_experiment_is_drawn_with_a_line_for_each_policy_in_every_panel() throws Exception {
    Document svg = parsed(ExperimentChart.svg(grid()));

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(3 * 2 * 2);
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("100 changes/h", "500 changes/h", "CI slots", "P99 / oracle");
  }

  @Test
  void times_are_told_as_people_say_them() {
    assertThat(TurnaroundChart.time(5)).isEqualTo("5 min");
    assertThat(TurnaroundChart.time(7.25)).isEqualTo("7.3 min");
    assertThat(TurnaroundChart.time(150)).isEqualTo("2.5 h");
    assertThat(TurnaroundChart.time(1440)).isEqualTo("24 h");
    assertThat(TurnaroundChart.time(14400)).isEqualTo("10 d");
  }

  private static Document parsed(String svg) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
  }
}
