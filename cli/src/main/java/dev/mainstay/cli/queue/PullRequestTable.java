package dev.mainstay.cli.queue;

import dev.mainstay.cli.shell.Table;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** Pull requests of a queue for people: where each stands, and why. */
final class PullRequestTable {
  private static final int WIDEST_TITLE = 40;

  private PullRequestTable() {}

  static Table of(JsonNode pullRequests) {
    var table = new Table("POS", "PR", "STATE", "PRIORITY", "TITLE", "AUTHOR", "WAITS FOR", "WHY");
    for (JsonNode pr : pullRequests) {
      table.row(
          pr.path("position").asString("-"),
          "#" + pr.path("prNumber").asInt(),
          pr.path("state").asString(),
          pr.path("priorityName").asString(),
          shortened(pr.path("prTitle").asString()),
          pr.path("prAuthor").asString(),
          waitsFor(pr),
          pr.at("/reason/message").asString());
    }
    return table;
  }

  /** When it will merge and how likely it is to pass, a line each, where that is known. */
  static List<String> future(JsonNode pr) {
    var lines = new ArrayList<String>();
    if (pr.has("expected")) {
      String late = pr.at("/expected/lateBy").asString();
      boolean over = Instant.parse(late).isBefore(Instant.now());
      lines.add(
          "expected: by %s, or by %s if it takes longer than usual%s"
              .formatted(pr.at("/expected/likelyBy").asString(), late, over ? ", as it does" : ""));
    }
    if (pr.has("chance")) {
      String drivers =
          pr.at("/chance/drivenBy")
              .valueStream()
              .map(PullRequestTable::driver)
              .collect(Collectors.joining(", "));
      lines.add(
          "chance to pass: %.0f %%%s"
              .formatted(
                  100 * pr.at("/chance/passes").asDouble(),
                  drivers.isEmpty() ? "" : " (" + drivers + ")"));
    }
    return lines;
  }

  private static String driver(JsonNode driver) {
    return "%s %s: %+.0f"
        .formatted(
            driver.path("trait").asString().replace('_', ' '),
            Table.harmless(driver.path("value").asString()),
            100 * driver.path("moves").asDouble());
  }

  static String waitsFor(JsonNode pr) {
    String names =
        pr.path("waitsFor")
            .valueStream()
            .limit(5)
            .map(n -> "#" + n.asInt())
            .collect(Collectors.joining(" "));
    int more = pr.path("waitsFor").size() - 5;
    return more > 0 ? names + " +" + more : names;
  }

  private static String shortened(String title) {
    return title.length() > WIDEST_TITLE ? title.substring(0, WIDEST_TITLE - 1) + "…" : title;
  }
}
