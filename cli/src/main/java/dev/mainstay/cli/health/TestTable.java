package dev.mainstay.cli.health;

import dev.mainstay.cli.shell.Table;
import tools.jackson.databind.JsonNode;

/** Tests as rows. */
final class TestTable {
  private TestTable() {}

  static Table of(JsonNode tests) {
    var table =
        new Table("ID", "STATUS", "QUARANTINED", "7 DAYS", "NAME", "CLASS", "FILE", "LAST FAILURE");
    for (JsonNode test : tests) {
      table.row(
          test.path("id").asString(""),
          test.path("status").path("value").asString(""),
          test.path("quarantined").asBoolean() ? "yes" : "no",
          rate(test.path("failure_rate_last_7d")),
          test.path("name").asString(""),
          test.path("classname").asString(""),
          test.path("file_path").asString(""),
          test.path("last_failure_message").asString(""));
    }
    return table;
  }

  private static String rate(JsonNode rate) {
    return rate.isNumber() ? "%.1f %%".formatted(100 * rate.asDouble()) : "";
  }
}
