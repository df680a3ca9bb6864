package dev.mainstay.cli.health;

import dev.mainstay.cli.shell.Table;
import java.io.PrintWriter;
import tools.jackson.databind.JsonNode;

/** All that is known of a test, on a page. */
final class TestSheet {
  private final PrintWriter out;

  TestSheet(PrintWriter out) {
    this.out = out;
  }

  void print(JsonNode answer) {
    JsonNode test = answer.path("test");
    out.printf("%s  %s%n", text(test, "name"), text(test, "html_url"));
    out.printf(
        "%s since %s: %s%n",
        test.path("status").path("value").asString(""),
        test.path("status").path("timestamp").asString(""),
        test.path("status").path("reason").asString(""));
    out.printf(
        "failed %.1f %% in 7 days, %.1f %% in 24 hours, in %d pull requests; %squarantined%n",
        100 * test.path("failure_rate_last_7d").asDouble(),
        100 * test.path("failure_rate_last_24h").asDouble(),
        test.path("pull_requests_impacted_last_7d").asInt(),
        test.path("quarantined").asBoolean() ? "" : "not ");
    decision(answer.path("quarantine_override"));
    flakiness(answer.path("flakiness"));
    monitors(answer.path("monitors"));
    failures(answer.path("failures"));
    changes(answer.path("changes"));
    out.flush();
  }

  private void decision(JsonNode decision) {
    if (!decision.isMissingNode()) {
      out.printf(
          "%s by %s since %s%s: %s%n",
          text(decision, "setting"),
          text(decision, "by"),
          text(decision, "since"),
          decision.has("until") ? " until " + text(decision, "until") : "",
          text(decision, "reason"));
    }
  }

  private void flakiness(JsonNode flakiness) {
    out.printf(
        "flaky with probability %.3f; expected to fail for no reason in %.2f %% of runs (%.2f to %.2f %%)%n",
        flakiness.path("probability").asDouble(),
        100 * flakiness.path("rate").asDouble(),
        100 * flakiness.path("low").asDouble(),
        100 * flakiness.path("high").asDouble());
    for (JsonNode phase : flakiness.path("phases")) {
      out.printf(
          "  %s from %s: %d of %d runs failed; first at %s%s%n",
          phase.path("broken").asBoolean() ? "failing for good" : "steady",
          text(phase, "from"),
          phase.path("failures").asInt(),
          phase.path("runs").asInt(),
          text(phase, "first_commit"),
          phase.has("commit_before") ? ", before it " + text(phase, "commit_before") : "");
    }
  }

  private void monitors(JsonNode monitors) {
    var table = new Table("MONITOR", "KIND", "ON", "ACTIVE", "SINCE", "MUTED UNTIL");
    for (JsonNode monitor : monitors) {
      table.row(
          text(monitor, "name"),
          text(monitor, "kind"),
          monitor.path("enabled").asBoolean() ? "yes" : "no",
          monitor.path("active").asBoolean() ? "yes" : "no",
          text(monitor, "since"),
          text(monitor, "muted_until"));
    }
    out.println();
    table.print(out);
  }

  private void failures(JsonNode failures) {
    if (failures.isEmpty()) {
      return;
    }
    var table = new Table("FAILURES", "LAST", "MESSAGE");
    for (JsonNode group : failures) {
      table.row(
          group.path("occurrence_count").asString(""),
          text(group, "last_occurrence"),
          text(group, "summary"));
    }
    out.println();
    table.print(out);
  }

  private void changes(JsonNode changes) {
    if (changes.isEmpty()) {
      return;
    }
    var table = new Table("CHANGED", "FROM", "TO", "MONITOR", "REASON");
    for (JsonNode change : changes) {
      table.row(
          text(change, "at"),
          text(change, "before"),
          text(change, "after"),
          text(change, "monitor_name"),
          text(change, "reason"));
    }
    out.println();
    table.print(out);
  }

  /** On one line, and nothing that a terminal would act on. */
  private static String text(JsonNode node, String field) {
    return node.path(field).asString("").replaceAll("\\p{Cntrl}", " ");
  }
}
