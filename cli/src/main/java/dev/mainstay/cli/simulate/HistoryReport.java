package dev.mainstay.cli.simulate;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.simulate.report.TurnaroundChart;
import dev.mainstay.cli.simulate.report.TurnaroundChart.Group;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** What other settings would have made of a queue's past, as a table and as a chart. */
record HistoryReport(JsonNode answer) {
  private static final String AS_IT_WAS = "as it was";
  private static final List<String> HEADINGS =
      List.of(
          "settings or policy",
          "P50 min",
          "P95 min",
          "P99 min",
          "builds/change",
          "minutes/change",
          "landed",
          "rejected",
          "falsely",
          "green");

  private record Line(String label, JsonNode figures) {}

  /** Too little has happened. */
  boolean isEmpty() {
    return answer.path("rows").isEmpty();
  }

  private List<Line> lines() {
    return Stream.concat(
            Stream.of(new Line(AS_IT_WAS, answer.path("asItWas"))),
            answer
                .path("rows")
                .valueStream()
                .map(r -> new Line(r.path("label").asString(), r.path("figures"))))
        .toList();
  }

  void print(Shell shell) {
    if (isEmpty()) {
      shell
          .out()
          .println(
              "%s can be played, and at least %d are needed: look further back with --since, or wait."
                  .formatted(changes(), answer.path("fewestChanges").asInt()));
      shell.out().println(leftOut());
      return;
    }
    var table = Table.ofFigures(HEADINGS);
    lines().forEach(line -> table.row(cells(line)));
    table.print(shell);
    shell.out().println();
    shell.out().println(caption() + ".");
    shell.out().println(leftOut());
    answer.path("notes").forEach(note -> shell.out().println(note.asString()));
  }

  private static List<String> cells(Line line) {
    var cells = new ArrayList<>(List.of(line.label()));
    JsonNode figures = line.figures();
    if (figures.isMissingNode()) {
      cells.add("no time");
      HEADINGS.stream().skip(2).forEach(heading -> cells.add("-"));
      return cells;
    }
    for (String percentile : List.of("p50", "p95", "p99")) {
      cells.add(minutes(figures.at("/turnaroundMinutes/" + percentile)));
    }
    cells.add(number(figures.path("buildsPerChange"), 2));
    cells.add(minutes(figures.path("buildMinutesPerChange")));
    for (String count : List.of("landed", "rejected", "falseEjections")) {
      cells.add(figures.path(count).asString());
    }
    JsonNode green = figures.path("greenShare");
    cells.add(green.isNumber() ? percent(green.asDouble()) : "-");
    return cells;
  }

  private String changes() {
    int count = answer.path("changes").asInt();
    return count == 1 ? "1 change" : String.format(Locale.ROOT, "%,d changes", count);
  }

  private String caption() {
    JsonNode found = answer.path("found");
    return "%s, %s to %s; %d failed alone, %d only together, %d flakes (%s of runs)"
        .formatted(
            changes(),
            time("from"),
            time("to"),
            found.path("failedAlone").asInt(),
            found.path("failedTogether").asInt(),
            found.path("flakes").asInt(),
            percent(found.path("flakeRate").asDouble()));
  }

  private Instant time(String field) {
    return Instant.parse(answer.path(field).asString()).truncatedTo(ChronoUnit.MINUTES);
  }

  private String leftOut() {
    String reasons =
        answer
            .path("leftOut")
            .valueStream()
            .map(r -> r.path("count").asString() + " " + r.path("code").asString())
            .collect(Collectors.joining(", "));
    return "%d known, %d partly guessed; left out: %s."
        .formatted(
            answer.path("known").asInt(),
            answer.path("guessed").asInt(),
            reasons.isEmpty() ? "nobody" : reasons);
  }

  String svg() {
    List<Group> groups =
        lines().stream()
            .filter(line -> !line.figures().isMissingNode())
            .map(HistoryReport::group)
            .toList();
    return TurnaroundChart.ofGroups(caption(), groups);
  }

  private static Group group(Line line) {
    JsonNode minutes = line.figures().path("turnaroundMinutes");
    String cost =
        "; %s build min per change"
            .formatted(minutes(line.figures().path("buildMinutesPerChange")));
    return new Group(
        line.label(),
        Stream.of("p50", "p95", "p99").map(p -> minutes.path(p).asDouble()).toList(),
        List.of(cost, "", ""));
  }

  /** The tests of some take seconds. */
  private static String minutes(JsonNode minutes) {
    return number(minutes, minutes.asDouble() < 10 ? 2 : 1);
  }

  private static String number(JsonNode number, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", number.asDouble());
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", share * 100);
  }
}
