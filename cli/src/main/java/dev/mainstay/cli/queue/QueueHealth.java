package dev.mainstay.cli.queue;

import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "health",
    mixinStandardHelpOptions = true,
    description = {
      "Tell how a queue has done: what came, how it ended and why, how long it took and what it"
          + " cost.",
      "Times are those of the pull requests that merged, the middle and what one in twenty"
          + " exceeds. SAVED are the builds that batches saved."
    })
final class QueueHealth implements Runnable {
  private static final List<String> COUNTS =
      List.of(
          "entered",
          "merged",
          "failed",
          "cancelled",
          "restarts",
          "bisections",
          "builds",
          "buildsSaved");
  private static final List<String> HEADINGS =
      List.of(
          "FROM",
          "IN",
          "MERGED",
          "FAILED",
          "CANCELLED",
          "RESTARTS",
          "BISECTIONS",
          "BUILDS",
          "SAVED",
          "TIME p50",
          "p95",
          "DEPTH",
          "MAX",
          "SLOTS USED");

  private final Shell shell;
  @Mixin private QueueNameOptions server;

  @Option(
      names = "--since",
      paramLabel = "PERIOD",
      description = "How far back: 12h, 30d (7d). At most 400 steps.")
  private @Nullable String since;

  @Option(
      names = "--step",
      paramLabel = "STEP",
      defaultValue = "day",
      description = "By hour or by day (day).")
  private String step;

  QueueHealth(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var request = server.about().put("step", step);
    if (since != null) {
      request.put("from", Instant.now().minus(Period.parse(since)).toString());
    }
    server.ask("getQueueHealth", request, this::print);
  }

  private void print(JsonNode health) {
    var table = Table.ofFigures(HEADINGS);
    for (JsonNode each : health.path("steps")) {
      var row = row(each.path("at").asString(), each);
      row.add(number(each.path("depthMean")));
      row.add(each.path("depthMax").asString());
      row.add(
          "%s of %s".formatted(number(each.path("slotsUsedMean")), each.path("slots").asString()));
      table.row(row);
    }
    JsonNode totals = health.path("totals");
    var total = row("total", totals);
    total.addAll(List.of("", "", ""));
    table.row(total).print(shell);
    if (!health.path("reasons").isEmpty()) {
      shell.out().println();
      printParts(totals);
      printReasons(health.path("reasons"));
    }
  }

  private static List<String> row(String name, JsonNode numbers) {
    var row = new ArrayList<String>();
    row.add(name);
    COUNTS.forEach(count -> row.add(numbers.path(count).asString()));
    row.add(time(numbers.at("/timeInQueueSeconds/p50")));
    row.add(time(numbers.at("/timeInQueueSeconds/p95")));
    return row;
  }

  private void printParts(JsonNode totals) {
    if (totals.has("timeInQueueSeconds")) {
      var parts = Table.ofFigures(List.of("TIME IN QUEUE", "p50", "p95"));
      for (String part : List.of("waiting", "testing", "blocked")) {
        JsonNode seconds = totals.path(part + "Seconds");
        parts.row(part, time(seconds.path("p50")), time(seconds.path("p95")));
      }
      parts.print(shell);
      shell.out().println();
    }
  }

  private void printReasons(JsonNode reasons) {
    var left = Table.ofFigures(List.of("WHY THEY LEFT", "COUNT"));
    reasons.forEach(r -> left.row(r.path("code").asString(), r.path("count").asString()));
    left.print(shell);
  }

  private static String time(JsonNode seconds) {
    if (!seconds.isNumber()) {
      return "-";
    }
    Duration time = Duration.ofSeconds(Math.round(seconds.asDouble()));
    return "%d:%02d:%02d".formatted(time.toHours(), time.toMinutesPart(), time.toSecondsPart());
  }

  private static String number(JsonNode number) {
    return String.format(Locale.ROOT, "%.1f", number.asDouble());
  }
}
