package dev.mainstay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.NumberSetting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

class DescriptionTest {
  @Test
  void every_route_is_described_and_nothing_else_is() {
    var described = new TreeSet<String>();
    Description.DOCUMENT
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry((method, operation) -> described.add(method + " " + path)));
    var routed = new TreeSet<String>();
    try (var node = TestNode.start()) {
      node.routes()
          .forEach(r -> routed.add(r.method().toLowerCase(java.util.Locale.ROOT) + " " + r.path()));
    }
    assertThat(described).isEqualTo(routed);
  }

  @ParameterizedTest
  @EnumSource
  void a_setting_has_the_same_range_in_code_description_and_documents(NumberSetting setting)
      throws IOException {
    for (String schema : List.of("QueueSettings", "Queue")) {
      JsonNode described =
          Description.DOCUMENT
              .path("components")
              .path("schemas")
              .path(schema)
              .path("properties")
              .path(setting.field());
      assertThat(described.path("minimum").asInt(-1)).isEqualTo(setting.least());
      assertThat(described.path("maximum").asInt(-1)).isEqualTo(setting.most());
    }
    String row =
        Files.readAllLines(Path.of("..", "docs", "merge-queue.md")).stream()
            .filter(line -> line.startsWith("|") && line.contains("`" + setting.field() + "`"))
            .findFirst()
            .orElseThrow();
    assertThat(row).containsPattern(setting.least() + "( \\(none\\) )?\u2013 ?" + setting.most());
  }

  @Test
  void a_value_of_a_monitor_is_taken_from_end_to_end_of_its_range_and_not_beyond() {
    try (var node = TestNode.start()) {
      String repo = "\"repo\":{\"host\":\"h\",\"owner\":\"o\",\"name\":\"n\"}";
      node.post("/v1/repositories/set-test-settings", node.token(), "{%s}".formatted(repo));
      for (String value :
          List.of(
              "pass_on_retry recovery_days",
              "failure_rate min_runs",
              "failure_rate window_hours",
              "failure_rate stale_hours",
              "failure_count count",
              "failure_count window_hours",
              "failure_count resolution_hours",
              "bayesian half_life_days")) {
        String kind = value.substring(0, value.indexOf(" "));
        String field = value.substring(value.indexOf(" ") + 1);
        JsonNode range =
            Description.DOCUMENT
                .path("components")
                .path("schemas")
                .path("Monitor")
                .path("properties")
                .path(field);
        int least = range.path("minimum").asInt();
        int most = range.path("maximum").asInt();
        for (int number : List.of(least - 1, least, most, most + 1)) {
          String window = field.equals("resolution_hours") ? ",\"window_hours\":1" : "";
          String body =
              "{%s,\"kind\":\"%s\",\"%s\":%d%s}".formatted(repo, kind, field, number, window);
          assertThat(node.post("/v1/monitors/create", node.token(), body).status())
              .as(body)
              .isEqualTo(number < least || number > most ? 400 : 200);
        }
      }
    }
  }

  @Test
  void a_route_that_needs_a_key_or_a_signature_says_so() {
    Description.DOCUMENT
        .path("paths")
        .forEachEntry(
            (path, methods) ->
                methods.forEachEntry(
                    (method, operation) ->
                        assertThat(operation.path("responses").has("401"))
                            .as("%s %s", method, path)
                            .isEqualTo(
                                path.matches("(/trunk)?/v1/.*|/mcp")
                                    || path.matches("/hooks/(github|gitea|gitlab)"))));
  }
}
