package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedCase;
import dev.mainstay.server.report.RunTeller;
import dev.mainstay.server.report.SourcePaths;
import dev.mainstay.server.report.WaitingCases;
import java.util.HashMap;
import java.util.Map;

/**
 * The JSON of Cucumber in any language. A scenario ends as the worst of its steps and hooks. Rows
 * of an outline share a name, and are numbered. A background that stands by itself counts where it
 * failed.
 */
final class CucumberJson implements JsonFormat {
  private final ReportTimes times = new ReportTimes();
  private final RecentText types = RecentText.plain();
  private final RecentText statuses = RecentText.plain();

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.array(() -> feature(json, teller));
  }

  private static final class Feature {
    final WaitingCases scenarios = new WaitingCases();
    final Map<String, Integer> names = new HashMap<>();
    String name = "";
    String uri = "";

    /** The name of a scenario, with a number where others of the same name came before. */
    String numbered(String scenario) {
      if (names.size() > 10_000) {
        return scenario;
      }
      int count = names.merge(scenario, 1, Integer::sum);
      return count == 1 ? scenario : "%s #%d".formatted(scenario, count);
    }
  }

  private void feature(JsonCursor json, RunTeller teller) {
    var feature = new Feature();
    try {
      json.object(
          field -> {
            switch (field) {
              case "name" -> feature.name = json.text();
              case "uri" -> feature.uri = SourcePaths.of(json.text());
              case "elements" -> json.array(() -> scenario(json, feature, teller));
              default -> {}
            }
          });
    } finally {
      // Of a file that is cut off, what was read counts.
      feature.scenarios.tell(feature.uri, feature.name, teller);
    }
  }

  private void scenario(JsonCursor json, Feature feature, RunTeller teller) {
    var scenario = new CucumberSteps();
    String[] about = {"", "", ""};
    json.object(
        field -> {
          switch (field) {
            case "name" -> about[0] = json.text();
            case "type" -> about[1] = json.text(types);
            case "start_timestamp" -> about[2] = json.text();
            case "steps", "before", "after" -> json.array(() -> step(json, scenario));
            default -> {}
          }
        });
    if (about[1].equals("background") && !scenario.outcome().isFailure()) {
      return;
    }
    long startedAt = times.millis(about[2]);
    var told =
        ReportedCase.once("", "", "", feature.numbered(about[0]), scenario.ending(startedAt));
    if (!feature.scenarios.add(told)) {
      feature.scenarios.tell(feature.uri, feature.name, teller);
      feature.scenarios.add(told);
    }
  }

  private void step(JsonCursor json, CucumberSteps scenario) {
    String[] result = {"", "", "", ""};
    double[] nanos = {0};
    json.object(
        field -> {
          switch (field) {
            case "keyword" -> result[0] = json.text();
            case "name" -> result[1] = json.text();
            case "result" ->
                json.object(
                    part -> {
                      switch (part) {
                        case "status" -> result[2] = json.text(statuses);
                        case "error_message" -> result[3] = json.text();
                        case "duration" -> nanos[0] = json.number();
                        default -> {}
                      }
                    });
            // Hooks after a step, as some write them.
            case "before", "after" -> json.array(() -> step(json, scenario));
            default -> {}
          }
        });
    scenario.add(result[2], nanos[0] / 1e6, result[3], (result[0] + result[1]).strip());
  }
}
