package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class SimulateCommandTest {
  private final StringBuilder out = new StringBuilder();
  private final StringBuilder err = new StringBuilder();

  private int simulate(String... arguments) {
    Cli.Ran ran = Cli.in(Path.of("/")).run("simulate", arguments);
    out.append(ran.out());
    err.append(ran.err());
    return ran.exitCode();
  }

  @Test
  void without_options_it_prints_a_table_of_our_queue_beside_others() {
    assertThat(simulate("--hours", "3")).isZero();

    List<String> lines = out.toString().lines().toList();
    assertThat(lines.getFirst()).startsWith("policy").contains("P50 min", "P99/oracle", "green");
    assertThat(lines.subList(2, 7))
        .extracting(line -> before(' ', line))
        .containsExactly("mainstay", "serial", "bors", "zuul", "oracle");
    assertThat(lines.getLast()).contains("events per second");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void variants_stand_beside_the_first_queue() {
    int exit =
        simulate(
            "--changes=20",
            "--batch-size=2",
            "--variant=lanes: mode=parallel, batch-size=1",
            "--variant=pending-failure-depth=2",
            "--compare=oracle",
            "--format=csv");

    assertThat(exit).isZero();
    assertThat(out.toString().lines())
        .extracting(line -> before(',', line))
        .containsExactly("policy", "mainstay", "lanes", "pending-failure-depth=2", "oracle");
  }

  @Test
  void csv_is_the_same_bytes_for_the_same_seed() {
    simulate("--changes=40", "--seed=7", "--format=csv");
    String first = out.toString();
    out.setLength(0);
    simulate("--changes=40", "--seed=7", "--format=csv");

    assertThat(out.toString()).isEqualTo(first);
    out.setLength(0);
    simulate("--changes=40", "--seed=8", "--format=csv");
    assertThat(out.toString()).isNotEqualTo(first);
  }

  @Test
  void json_holds_the_world_and_every_policy() {
    simulate("--changes=30", "--arrivals=12", "--runs=2", "--compare=none", "--format=json");

    JsonNode json = JsonMapper.shared().readTree(out.toString());
    assertThat(json.at("/world/arrivalsPerHour").asDouble()).isEqualTo(12);
    assertThat(json.at("/world/seeds").size()).isEqualTo(2);
    assertThat(json.at("/policies").size()).isEqualTo(2);
    assertThat(json.at("/policies/0/policy").asString()).isEqualTo("mainstay");
    assertThat(json.at("/policies/0/changes").asInt()).isEqualTo(60);
    assertThat(json.at("/policies/1/greenShare").isNumber()).isTrue();
  }

  @Test
  void a_chart_is_drawn_into_a_file(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("chart.svg");

    assertThat(simulate("--changes=20", "--svg=" + file)).isZero();
    assertThat(Files.readString(file)).startsWith("<svg").contains("mainstay", "oracle");
    assertThat(simulate("--changes=20", "--svg=" + folder.resolve("no/such/chart.svg")))
        .isEqualTo(1);
    assertThat(err.toString()).contains("The chart could not be written");
  }

  @Test
  void all_faults_are_named_at_once() {
    int exit =
        simulate(
            "--arrivals=many",
            "--slots=0",
            "--build-time=weekly:1",
            "--failure-rate=120%",
            "--hours=2",
            "--changes=3",
            "--mode=sideways",
            "--compare=serial,magic",
            "--format=xml",
            "--quick");

    assertThat(exit).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString().lines())
        .extracting(line -> before(':', line))
        .contains(
            "--arrivals",
            "--slots",
            "--build-time",
            "--failure-rate",
            "--changes",
            "--mode",
            "--compare",
            "--format",
            "--quick");
  }

  @Test
  void an_option_that_is_given_twice_is_refused() {
    int exit = simulate("--arrivals=5", "--slots=3", "--changes=4", "--slots=2");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString().lines()).contains("--slots: is given more than once");
  }

  @Test
  void faults_of_a_variant_name_the_variant() {
    int exit = simulate("--variant=a: batch-size=0,colour=red", "--variant=a: mode=parallel");

    assertThat(exit).isEqualTo(2);
    assertThat(err.toString())
        .contains("batch-size: must be a whole number from 1 to 100, not '0'")
        .contains("'colour=red' is not KEY=VALUE")
        .contains("the label 'a' is there twice");
  }

  @Test
  void the_experiment_refuses_options_that_have_no_say_in_it() {
    assertThat(simulate("--experiment", "--slots=3", "--mode=single")).isEqualTo(2);
    assertThat(err.toString()).contains("--slots: has no say", "--mode: has no say");
  }

  @Test
  void the_check_runs_over_seeds_or_tells_the_story_of_one() {
    assertThat(simulate("--check", "--seeds=3", "--seed=5")).isZero();
    assertThat(out.toString()).startsWith("3 seeds from 5 on, ").contains("every invariant holds");
    assertThat(simulate("--check", "--seeds=3", "--seed=5", "--keep-going")).isZero();
    assertThat(simulate("--check", "--seed=5")).isZero();
    assertThat(out.toString()).contains("main").contains("Seed 5, ");
  }

  @Test
  void the_check_refuses_what_it_cannot_hear() {
    assertThat(simulate("--check", "--seeds=none", "--slots=3")).isEqualTo(2);
    assertThat(err.toString()).contains("--slots: has no say", "--seeds: must be a whole number");
    assertThat(simulate("--seeds=3")).isEqualTo(2);
    assertThat(err.toString()).contains("--seeds: goes only with --check");
    assertThat(simulate("--keep-going")).isEqualTo(2);
    assertThat(err.toString()).contains("--keep-going: goes only with --check");
    assertThat(simulate("--check", "--seed=3", "--keep-going")).isEqualTo(2);
    assertThat(err.toString()).contains("--keep-going: needs --seeds");
  }

  @Test
  void help_explains_every_option() {
    assertThat(simulate("--help")).isZero();
    assertThat(out.toString())
        .contains(
            "The world:", "The queue:", "The report:", "--variant", "--experiment", "Default: 10.");
  }

  private static String before(char end, String line) {
    int at = line.indexOf(end);
    return at < 0 ? line : line.substring(0, at);
  }
}
