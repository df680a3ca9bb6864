package dev.mainstay.cli.upload;

import dev.mainstay.cli.shell.Table;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The server's verdict on the results that were sent, as a table and as an exit code. */
final class UploadVerdict {
  private static final int MOST_ROWS = 50;
  private static final int WIDEST = 60;

  private final List<JsonNode> answers;

  UploadVerdict(List<JsonNode> answers) {
    this.answers = List.copyOf(answers);
  }

  /**
   * The exit code of the job, given that of the tests themselves. Quarantine forgives failures that
   * were reported; a command that failed without reporting any keeps its own code.
   */
  int exitCode(int ofTests) {
    boolean mayPass = answers.stream().allMatch(a -> a.at("/verdict/may_pass").asBoolean());
    if (!mayPass) {
      return ofTests == 0 ? 1 : ofTests;
    }
    return sum("/verdict/failed_tests") > 0 ? 0 : ofTests;
  }

  void print(PrintWriter out) {
    var failures =
        answers.stream().flatMap(a -> a.at("/verdict/failures").values().stream()).toList();
    if (!failures.isEmpty()) {
      var table = new Table("FAILED TEST", "FILE OR CLASS", "OWNERS", "QUARANTINED", "MESSAGE");
      failures.stream().limit(MOST_ROWS).forEach(failure -> addRow(table, failure));
      table.print(out);
      if (failures.size() > MOST_ROWS) {
        out.printf("... and %d more%n", failures.size() - MOST_ROWS);
      }
      out.println();
    }
    answers.stream()
        .flatMap(a -> a.path("skipped").values().stream())
        .forEach(
            s ->
                out.printf(
                    "not read: %s%s: %s%n",
                    s.path("file").asString(),
                    s.path("line").asInt() > 0 ? ", line " + s.path("line").asInt() : "",
                    s.path("reason").asString()));
    out.printf(
        "%d tests, %d failed, %d of them quarantined. %s%n",
        sum("/counts/tests"),
        sum("/verdict/failed_tests"),
        sum("/verdict/quarantined_tests"),
        answers.stream()
            .map(a -> a.at("/verdict/reason").asString())
            .distinct()
            .collect(Collectors.joining(" ")));
    out.flush();
  }

  private static void addRow(Table table, JsonNode failure) {
    String file = failure.path("file").asString();
    String owners =
        failure.path("codeowners").values().stream()
            .map(JsonNode::asString)
            .collect(Collectors.joining(" "));
    table.row(
        cell(failure.path("name").asString()),
        cell(file.isEmpty() ? failure.path("classname").asString() : file),
        cell(owners.isEmpty() ? "-" : owners),
        failure.path("quarantined").asBoolean() ? "yes" : "no",
        cell(failure.path("message").asString()));
  }

  /** One line without anything a terminal could obey. */
  private static String cell(String text) {
    String line = text.strip().lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ");
    return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
  }

  private int sum(String pointer) {
    return answers.stream().mapToInt(a -> a.at(pointer).asInt()).sum();
  }
}
