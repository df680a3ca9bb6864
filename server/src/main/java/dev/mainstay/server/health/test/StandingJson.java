package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Evidence;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorState;
import dev.mainstay.core.health.TestStatus;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The states of monitors and their evidence, as stored JSON. */
public final class StandingJson {
  private StandingJson() {}

  static String write(List<MonitorState> states) {
    ObjectNode node = Json.object();
    var list = node.putArray("monitors");
    for (MonitorState state : states) {
      list.addObject()
          .put("monitor", state.monitor().value().toString())
          .put("active", state.active())
          .put("status", TestStore.label(state.status()))
          .put("since", state.since().toString())
          .set("evidence", evidence(state.evidence()));
    }
    return text(node);
  }

  static List<MonitorState> read(String json) {
    var states = new ArrayList<MonitorState>();
    for (JsonNode state : object(json).path("monitors")) {
      states.add(
          new MonitorState(
              new MonitorId(UUID.fromString(state.path("monitor").asString())),
              state.path("active").asBoolean(),
              TestStatus.valueOf(state.path("status").asString().toUpperCase(Locale.ROOT)),
              Instant.parse(state.path("since").asString()),
              evidence(state.path("evidence"))));
    }
    return states;
  }

  public static ObjectNode evidence(Evidence evidence) {
    ObjectNode node =
        Json.object()
            .put("sentence", evidence.sentence())
            .put("from", evidence.from().toString())
            .put("to", evidence.to().toString())
            .put("runs", evidence.runs())
            .put("failures", evidence.failures());
    var commits = node.putArray("commits");
    evidence.commits().forEach(commits::add);
    var numbers = node.putObject("numbers");
    evidence.numbers().forEach(numbers::put);
    return node;
  }

  private static Evidence evidence(JsonNode node) {
    var commits = new ArrayList<String>();
    node.path("commits").forEach(commit -> commits.add(commit.asString()));
    var numbers = new TreeMap<String, Double>();
    node.path("numbers").forEachEntry((name, value) -> numbers.put(name, value.asDouble()));
    return new Evidence(
        node.path("sentence").asString(),
        Instant.parse(node.path("from").asString()),
        Instant.parse(node.path("to").asString()),
        node.path("runs").asLong(),
        node.path("failures").asLong(),
        commits,
        numbers);
  }

  public static ObjectNode object(String json) {
    return Json.readObject(json.getBytes(StandardCharsets.UTF_8));
  }

  public static String text(ObjectNode node) {
    return new String(Json.write(node), StandardCharsets.UTF_8);
  }
}
