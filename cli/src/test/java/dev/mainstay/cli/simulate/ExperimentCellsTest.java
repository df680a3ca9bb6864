package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code simulate --experiment --cells}: every figure with its spread, resumed, drawn. */
class ExperimentCellsTest {
  @TempDir private Path folder;

  private Cli.Ran cells(String cells, String... more) {
    var arguments = new ArrayList<>(List.of("--experiment", "--cells=" + cells));
    arguments.addAll(List.of(more));
    return Cli.in(folder).run("simulate", arguments.toArray(String[]::new));
  }

  @Test
  void each_cell_is_a_table_of_budgets_and_rivals_with_their_spread() {
    Cli.Ran ran = cells("20/20,20/10/flakes=5%", "--hours=1", "--runs=2");

    assertThat(ran.exitCode()).isZero();
    assertThat(ran.err()).isEmpty();
    List<String> lines = ran.out().lines().toList();
    assertThat(lines.getFirst())
        .isEqualTo(
            "20/20: 20 changes/h for 1 h on 20 slots, 1 target, 5 % broken; seeds 1 to 2, mean ± deviation");
    assertThat(lines.get(1)).containsSubsequence("policy", "P50/oracle", "min/oracle", "green");
    assertThat(lines.subList(3, 8))
        .extracting(line -> line.replaceAll("  .*", ""))
        .containsExactly("budget 0", "budget 1", "budget 2", "zuul-lanes", "probable");
    assertThat(lines.get(3)).contains(" ± ").endsWith("100 ± 0.00 %");
    assertThat(lines.get(9)).contains("10 slots", "5 % of builds flake");
    assertThat(ran.out()).contains("budget 2, known flakes");
  }

  @Test
  void json_and_csv_have_the_same_figures() {
    String[] options = {"--hours=1", "--runs=2", "--budgets=3,0", "--compare=serial"};
    String csv = cells("30/30/authors=5/drift=0.5", with(options, "--format=csv")).out();
    JsonNode json =
        JsonMapper.shared()
            .readTree(cells("30/30/authors=5/drift=0.5", with(options, "--format=json")).out());

    List<String> lines = csv.lines().toList();
    assertThat(lines).hasSize(4);
    assertThat(lines.getFirst()).startsWith("cell,policy,worlds,ratioP50,ratioP50Deviation,");
    JsonNode serial = json.at("/cells/0/policies/2");
    assertThat(serial.at("/policy").asString()).isEqualTo("serial");
    assertThat(lines.get(3))
        .startsWith(
            "30/30/authors=5/drift=0.5,serial,2,%s,%s,"
                .formatted(
                    number(serial.at("/ratioP50/mean")), number(serial.at("/ratioP50/deviation"))));
    assertThat(serial.at("/ratioP50/mean").asDouble()).isGreaterThan(2);
    assertThat(serial.at("/ratioP50/deviation").asDouble()).isPositive();
    assertThat(json.at("/cells/0/policies/0/policy").asString()).isEqualTo("budget 0");
    assertThat(json.at("/cells/0/policies/1/policy").asString()).isEqualTo("budget 3");
    assertThat(json.at("/cells/0/authorDriftHours").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/seeds").size()).isEqualTo(2);
  }

  private static String number(JsonNode node) {
    return node.decimalValue().stripTrailingZeros().toPlainString();
  }

  private static String[] with(String[] options, String last) {
    var all = new ArrayList<>(List.of(options));
    all.add(last);
    return all.toArray(String[]::new);
  }

  @Test
  void a_run_that_was_stopped_goes_on_from_its_file() throws Exception {
    String[] options = {"--hours=1", "--budgets=0", "--compare=zuul-lanes", "--resume=runs.jsonl"};
    Path file = folder.resolve("runs.jsonl");
    String whole = cells("10/10", with(options, "--runs=2")).out();
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).hasSize(4);

    String torn = lines.getFirst().replaceAll("\"ratioP50\":[0-9.]+", "\"ratioP50\":42.0");
    Files.writeString(file, torn + "\n" + lines.get(1).substring(0, 50));
    String resumed = cells("10/10", with(options, "--runs=2")).out();

    assertThat(Files.readAllLines(file)).hasSize(4).contains(torn);
    assertThat(Files.readAllLines(file)).containsAll(lines.subList(1, 4));
    assertThat(resumed).isNotEqualTo(whole).contains("21.50 ± 28.99");
  }

  @Test
  void a_file_of_something_else_is_left_as_it_is() throws Exception {
    Path file = Files.writeString(folder.resolve("notes"), "my notes");
    Path other =
        Files.writeString(folder.resolve("other"), "{\"run\":null,\"figures\":null}\n{}\n");

    Cli.Ran ran = cells("10/10", "--resume=notes");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).contains("--resume: ", "is not a file of runs");
    assertThat(cells("10/10", "--resume=other").err()).contains("line 1 of ", "is not a run");
    assertThat(cells("10/10", "--resume=no/such/file").err()).contains("cannot be used");
    assertThat(cells("10/10", "--resume=new", "--format=xml").exitCode()).isEqualTo(2);
    assertThat(folder.resolve("new")).doesNotExist();
    assertThat(file).hasContent("my notes");
    assertThat(other).hasContent("{\"run\":null,\"figures\":null}\n{}\n");
  }

  @Test
  void the_frontier_is_drawn_with_a_line_for_our_budgets_in_every_panel() throws Exception {
    Cli.Ran ran = cells("40/40,40/20", "--hours=1", "--budgets=0,1,10", "--svg=frontier.svg");

    assertThat(ran.exitCode()).isZero();
    Document svg = parsed(folder.resolve("frontier.svg"));
    String text = svg.getDocumentElement().getTextContent();
    assertThat(text)
        .contains("40/40", "40/20", "P50", "P95", "P99", "zuul-lanes", "probable", "oracle")
        .contains("prefers-color-scheme: dark");
    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2 * 3);
    assertThat(svg.getElementsByTagName("circle").getLength()).isEqualTo(1 + 2 * 3 * (1 + 3 + 2));
  }

  private static Document parsed(Path svg) throws Exception {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
    return factory.newDocumentBuilder().parse(svg.toFile());
  }

  @Test
  void all_faults_are_named_at_once() {
    Cli.Ran ran =
        cells(
            "10/10,ten/10",
            "--budgets=0,11",
            "--compare=magic",
            "--slots=3",
            "--quick",
            "--hours=100000",
            "--format=xml");

    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err())
        .contains("--cells: 'ten/10' is not a cell")
        .contains("--budgets: must be a whole number from 0 to 10, not '11'")
        .contains("--compare: 'magic' is not a policy")
        .contains("--slots: has no say", "--quick: has no say")
        .contains("--hours: makes more than 100000 changes in 10/10")
        .contains("--format: must be");
  }

  @Test
  void it_goes_only_with_the_experiment() {
    Cli.Ran world = Cli.in(folder).run("simulate", "--cells=10/10", "--budgets=1", "--resume=f");
    assertThat(world.exitCode()).isEqualTo(2);
    assertThat(world.err())
        .contains("--cells: goes only with --experiment")
        .contains("--budgets: goes only with --experiment")
        .contains("--resume: goes only with --experiment");
    Cli.Ran grid = Cli.in(folder).run("simulate", "--experiment", "--budgets=1");
    assertThat(grid.err()).contains("--budgets: goes only with --cells");
  }
}
