package dev.mainstay.server.mcp;

import java.util.ArrayList;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** What the API says of tests, in a few lines. */
final class TestTexts {
  private TestTexts() {}

  static String failing(JsonNode page) {
    JsonNode about = page.path("page");
    String next = about.path("next_page_token").asString("");
    return lines(page, "No test failed in that time.")
        + (next.isEmpty()
            ? ""
            : "\nThese are %d of %d; for more call again with end_time %s and page_token %s"
                .formatted(
                    page.path("tests").size(),
                    about.path("total_rows").asInt(),
                    page.path("end_time").asString(),
                    next));
  }

  static String found(JsonNode page) {
    return lines(page, "No test fits.")
        + (page.has("after")
            ? "\nThere are more: call again with after %s".formatted(page.path("after").asString())
            : "");
  }

  static String candidates(JsonNode page) {
    return page.path("tests").isEmpty()
        ? "No test of the repository has that in its name, class or file."
        : "Several tests fit; call again with the test_id of one:\n" + found(page);
  }

  static String health(JsonNode dossier) {
    JsonNode test = dossier.path("test");
    JsonNode flakiness = dossier.path("flakiness");
    var text = new StringBuilder(line(test));
    text.append(
        "\nIt is flaky with a probability of %s; it fails for no reason in the code in %s of its runs (%s to %s)."
            .formatted(
                percent(flakiness, "probability"),
                percent(flakiness, "rate"),
                percent(flakiness, "low"),
                percent(flakiness, "high")));
    flakiness
        .path("phases")
        .valueStream()
        .reduce((before, last) -> last)
        .filter(phase -> phase.path("broken").asBoolean())
        .ifPresent(
            phase ->
                text.append(
                    "\nIt is broken since %s, first on commit %s%s."
                        .formatted(
                            phase.path("from").asString(),
                            phase.path("first_commit").asString(),
                            QueueTexts.said(phase, "commit_before")
                                .map(commit -> ", good before on " + commit)
                                .orElse(""))));
    QueueTexts.said(dossier.path("quarantine_override"), "setting")
        .ifPresent(
            setting ->
                text.append(
                    "\nSomebody decided %s: %s%s"
                        .formatted(
                            setting,
                            Texts.line(
                                dossier.path("quarantine_override").path("reason").asString("")),
                            ends(dossier.path("quarantine_override")))));
    dossier
        .path("failures")
        .valueStream()
        .limit(5)
        .forEach(
            group ->
                text.append(
                    "\nfailed %d times, last %s: %s"
                        .formatted(
                            group.path("occurrence_count").asInt(),
                            group.path("last_occurrence").asString(),
                            Texts.line(group.path("summary").asString()))));
    return text.toString();
  }

  /** How a decision about quarantine ends, in brackets. */
  private static String ends(JsonNode decision) {
    var ends = new ArrayList<String>();
    QueueTexts.said(decision, "until").ifPresent(until -> ends.add("at " + until));
    if (decision.path("after_passes").isNumber()) {
      ends.add("after %d passes in a row".formatted(decision.path("after_passes").asInt()));
    }
    if (decision.path("until_ticket_closed").asBoolean()) {
      ends.add("with its ticket");
    }
    return ends.isEmpty() ? "" : " (ends %s)".formatted(String.join(", or ", ends));
  }

  private static String lines(JsonNode page, String none) {
    JsonNode tests = page.path("tests");
    return tests.isEmpty()
        ? none
        : tests.valueStream().map(TestTexts::line).collect(Collectors.joining("\n"));
  }

  private static String line(JsonNode test) {
    JsonNode status = test.path("status");
    var text = new StringBuilder();
    QueueTexts.said(test, "classname").ifPresent(name -> text.append(name).append(' '));
    text.append(Texts.line(test.path("name").asString()));
    QueueTexts.said(test, "variant").ifPresent(v -> text.append(" (").append(v).append(')'));
    text.append(", test_id ").append(test.path("id").asString());
    text.append(": ").append(status.path("value").asString());
    text.append(test.path("quarantined").asBoolean() ? ", quarantined. " : ". ");
    text.append(Texts.line(status.path("reason").asString("")));
    if (test.has("failure_rate_last_7d")) {
      text.append(
          " Fails in %s of its runs of 7 days, %s of 24 hours."
              .formatted(
                  percent(test, "failure_rate_last_7d"), percent(test, "failure_rate_last_24h")));
    }
    return text.toString();
  }

  private static String percent(JsonNode node, String field) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * node.path(field).asDouble());
  }
}
