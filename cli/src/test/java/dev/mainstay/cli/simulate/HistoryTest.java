package dev.mainstay.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.Cli;
import dev.mainstay.cli.StubServer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** The past of a queue, as the server answers it by its own description. */
class HistoryTest {
  @TempDir private Path dir;

  /** The example in the description of the API. */
  private static String answer() throws IOException {
    try (InputStream description =
        Objects.requireNonNull(HistoryTest.class.getResourceAsStream("/openapi.json"))) {
      return new JsonMapper()
          .readTree(description)
          .path("paths")
          .path("/v1/simulateQueue")
          .at("/post/responses/200/content/application~1json/example")
          .toString();
    }
  }

  private Cli.Ran simulate(StubServer server, String... arguments) {
    return Cli.in(dir)
        .with(Map.of("MAINSTAY_URL", server.url(), "MAINSTAY_API_TOKEN", "key"))
        .run("simulate", arguments);
  }

  @Test
  void it_is_asked_for_as_the_api_names_it_and_told_as_a_table() throws Exception {
    try (var server = StubServer.of(answer())) {
      var ran =
          simulate(
              server,
              "--history",
              "--repo=git.example/a/b",
              "--branch=dev",
              "--set=speculationBudget=1, concurrency=8",
              "--set=sized: batch=true,batchSizing=AUTO",
              "--compare=oracle,zuul:3");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(server.requests())
          .extracting(StubServer.Request::text)
          .containsExactly(
              """
              simulateQueue {"repo":{"host":"git.example","owner":"a","name":"b"},"targetBranch":"dev","usual":false,\
              "policies":["oracle","zuul:3"],"variants":[{"settings":{"speculationBudget":1,"concurrency":8}},\
              {"label":"sized","settings":{"batch":true,"batchSizing":"AUTO"}}]}""");
      assertThat(ran.out())
          .isEqualTo(
              """
              settings or policy                  P50 min  P95 min  P99 min  builds/change  minutes/change  landed  rejected  falsely    green
              ----------------------------------  -------  -------  -------  -------------  --------------  ------  --------  -------  -------
              as it was                              34.2     96.5    151.0           1.31            28.4     761        51        6        -
              present settings                       31.0     90.1    140.7           1.31            28.4     761        51        6  100.0 %
              speculationBudget=1, concurrency=8     22.4     41.8     66.0           1.74            36.9     761        51        6  100.0 %
              oracle                                 21.9     36.2     48.5           1.00            22.1     761        51        0  100.0 %

              812 changes, 2026-11-03T00:00:00Z to 2026-11-17T09:30:00Z; 41 failed alone, 4 only together, 12 flakes (1.3 % of runs).
              790 known, 22 partly guessed; left out: 14 cancelled_by_user, 9 head_moved.
              Conflicts between changes that were never tested together are not known; none are assumed.
              """);
    }
  }

  @Test
  void it_is_json_and_a_chart_too() throws Exception {
    try (var server = StubServer.of(answer())) {
      var ran = simulate(server, "--history", "--repo=git.example/a/b", "--json", "--svg=past.svg");
      assertThat(ran.exitCode()).as(ran.err()).isZero();
      assertThat(ran.out()).isEqualToIgnoringWhitespace(answer());
      assertThat(server.requests().getFirst().text())
          .contains("\"usual\":true,\"policies\":[\"serial\",\"bors\",\"zuul\",\"oracle\"]");
      assertThat(Files.readString(dir.resolve("past.svg")))
          .startsWith("<svg")
          .contains("as it was", "34 min; 28.4 build min per change", "812 changes");
    }
  }

  @Test
  void what_was_not_played_is_told_and_too_little_is_no_chart() throws Exception {
    String unplayed =
        answer().replaceAll("(\"label\":\"oracle\"),\"figures\":\\{.*?\\}.*?\\}", "$1");
    try (var server = StubServer.of(unplayed)) {
      assertThat(simulate(server, "--history", "--repo=git.example/a/b").out())
          .containsPattern("oracle +no time +- +-");
    }
    String little =
        """
        {"from":"2026-11-03T00:00:00Z","to":"2026-11-17T09:30:00Z","fewestChanges":20,"changes":1,"known":1,
         "guessed":0,"leftOut":[],"notes":[],"rows":[]}""";
    try (var server = StubServer.of(little)) {
      var ran = simulate(server, "--history", "--repo=git.example/a/b", "--svg=past.svg");
      assertThat(ran.exitCode()).isEqualTo(1);
      assertThat(ran.out()).startsWith("1 change can be played, and at least 20 are needed");
      assertThat(ran.err()).contains("no chart was written");
      assertThat(dir.resolve("past.svg")).doesNotExist();
    }
  }

  @Test
  void what_has_no_say_is_refused_before_anything_is_asked() throws Exception {
    try (var server = StubServer.of(answer())) {
      var ran =
          simulate(server, "--history", "--repo=git.example/a/b", "--slots=5", "--set=concurrency");
      assertThat(ran.exitCode()).isEqualTo(2);
      assertThat(ran.err())
          .contains("--slots: has no say in --history")
          .contains("--set: 'concurrency' is not NAME=VALUE");
      var without = simulate(server, "--changes=5", "--since=3d", "--branch=dev");
      assertThat(without.exitCode()).isEqualTo(2);
      assertThat(without.err())
          .contains("--since: goes only with --history", "--branch: goes only with --history");
      assertThat(simulate(server, "--changes=5", "--json").out()).startsWith("{").contains("world");
      assertThat(server.requests()).isEmpty();
    }
  }
}
