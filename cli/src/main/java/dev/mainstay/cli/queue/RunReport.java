package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Table;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The failure of a pull request's last run, for people: the statuses that failed and where to read
 * more, the tests that failed, and the last lines that the test command printed.
 */
public final class RunReport {
  static final int USUAL_LINES = 20;
  private static final int MOST_TESTS = 20;
  private static final int LONGEST_MESSAGE = 160;
  private static final String COLOURS = "\u001b\\[[0-9;?]*[ -/]*[@-~]";

  private RunReport() {}

  /**
   * The lines of a report on the last run of the pull request that a request is about; none where
   * it did not fail, or the server knows nothing of it.
   */
  public static List<String> of(ApiClient client, ObjectNode about, int outputLines)
      throws ApiClient.Unreachable {
    JsonNode log;
    try {
      log = client.tryPost("getTestRunLog", about.deepCopy().put("lines", outputLines));
    } catch (Refusal e) {
      return List.of();
    }
    return log.path("status").asString().equals("FAILED") ? lines(log) : List.of();
  }

  private static List<String> lines(JsonNode log) {
    var lines = new ArrayList<String>();
    for (JsonNode check : log.path("checks")) {
      if (check.path("state").asString().equals("FAILURE")) {
        String text = "failed: " + check.path("name").asString();
        lines.add(Table.harmless((text + "  " + check.path("url").asString()).stripTrailing()));
      }
    }
    JsonNode tests = log.path("failedTests");
    tests.valueStream().limit(MOST_TESTS).forEach(test -> lines.add(line(test)));
    if (tests.size() > MOST_TESTS) {
      lines.add("... and %d more tests".formatted(tests.size() - MOST_TESTS));
    }
    List<String> output = harmless(log.path("output").asString()).lines().toList();
    if (!output.isEmpty()) {
      lines.add("the last lines of its output:");
      output.forEach(line -> lines.add("  | " + line));
    }
    return lines;
  }

  private static String line(JsonNode test) {
    String where = test.path("file").asString();
    String message = test.path("message").asString().strip().lines().findFirst().orElse("");
    String text =
        "failed test: %s %s%s: %s"
            .formatted(
                where.isEmpty() ? test.path("classname").asString() : where,
                test.path("name").asString(),
                test.path("quarantined").asBoolean() ? " (quarantined)" : "",
                message.length() > LONGEST_MESSAGE
                    ? message.substring(0, LONGEST_MESSAGE) + "…"
                    : message);
    return Table.harmless(text.replaceFirst(": $", ""));
  }

  /** Lines as they were printed, without anything that a terminal could obey. */
  static String harmless(String output) {
    return output
        .replaceAll(COLOURS, "")
        .replaceAll("\r\n?", "\n")
        .replaceAll("[\\p{Cntrl}&&[^\n\t]]", "?");
  }
}
