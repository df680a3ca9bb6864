package dev.mainstay.cli.health;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** All that is known of a test, on a page. */
final class TestSheet {
  private static final int MOST_LINES = 40;

  private final Shell shell;
  private final PrintWriter out;

  TestSheet(Shell shell) {
    this.shell = shell;
    out = shell.out();
  }

  void print(JsonNode answer) {
    JsonNode test = answer.path("test");
    out.printf("%s  %s%n", text(test, "name"), text(test, "html_url"));
    place(test);
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
    lastFailure(test, answer.path("failures"));
    decision(answer.path("quarantine_override"));
    flakiness(answer.path("flakiness"));
    monitors(answer.path("monitors"));
    failures(answer.path("failures"));
    changes(answer.path("changes"));
    out.flush();
  }

  /** The class, the file and the owners, as far as they are known. */
  private void place(JsonNode test) {
    for (String field : List.of("classname", "file_path", "parent", "variant")) {
      if (!text(test, field).isEmpty()) {
        out.printf(
            "%s %s%n",
            field.replaceAll("_.*", "").replace("classname", "class"), text(test, field));
      }
    }
    var owners = new StringJoiner(", ");
    test.path("codeowners")
        .forEach(owner -> owners.add(owner.asString("").replaceAll("\\p{Cntrl}", " ")));
    if (owners.length() > 0) {
      out.printf("owned by %s%n", owners);
    }
  }

  /** What it last said, where its job is shown, and the stack of the group it belongs to. */
  private void lastFailure(JsonNode test, JsonNode groups) {
    if (text(test, "last_failure_message").isEmpty()) {
      return;
    }
    out.printf("last failed with: %s%n", text(test, "last_failure_message"));
    if (test.has("ci_url")) {
      out.printf("its job: %s%n", text(test, "ci_url"));
    }
    StreamSupport.stream(groups.spliterator(), false)
        .max(Comparator.comparing(group -> text(group, "last_occurrence")))
        .ifPresent(
            group ->
                group
                    .path("stack")
                    .asString("")
                    .lines()
                    .limit(MOST_LINES)
                    .forEach(line -> out.printf("    %s%n", line.replaceAll("\\p{Cntrl}", " "))));
  }

  private void decision(JsonNode decision) {
    if (!decision.isMissingNode()) {
      out.printf(
          "%s by %s since %s%s%s%s: %s%n",
          text(decision, "setting"),
          text(decision, "by"),
          text(decision, "since"),
          decision.has("until") ? " until " + text(decision, "until") : "",
          decision.has("after_passes")
              ? ", until it passed %s times in a row".formatted(text(decision, "after_passes"))
              : "",
          decision.path("until_ticket_closed").asBoolean() ? ", until its ticket is closed" : "",
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
    table.print(shell);
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
    table.print(shell);
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
    table.print(shell);
  }

  /** On one line, and nothing that a terminal would act on. */
  private static String text(JsonNode node, String field) {
    return node.path(field).asString("").replaceAll("\\p{Cntrl}", " ");
  }
}
