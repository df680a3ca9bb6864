package dev.mainstay.cli.upload;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.server.platform.Json;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
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
   * The exit code of the job, given that of the tests themselves, over all uploads together.
   * Quarantine forgives failures that were reported; a command that failed without reporting any
   * keeps its own code. One that passed fails for tests that failed, and where it is strict also
   * for results that could not be read.
   */
  int exitCode(int ofTests, boolean strict) {
    int failed = sum("/verdict/failed_tests");
    if (ofTests != 0) {
      return mayPass() && failed > 0 ? 0 : ofTests;
    }
    boolean open = failed > sum("/verdict/quarantined_tests");
    return open || (strict && !mayPass()) ? 1 : 0;
  }

  /** True where a report was read in one of the uploads, and nothing speaks against any of them. */
  private boolean mayPass() {
    return sum("/verdict/failed_tests") == sum("/verdict/quarantined_tests")
        && list("/verdict/unreadable").isEmpty()
        && list("/verdict/missing").isEmpty()
        && answers.stream().anyMatch(a -> a.at("/verdict/may_pass").asBoolean());
  }

  /** Prints the verdict as a table, or all answers of the server as one line of JSON. */
  void print(Shell shell, boolean json) {
    PrintWriter out = shell.out();
    if (json) {
      var all = Json.object();
      all.putArray("uploads").addAll(answers);
      out.println(new String(Json.write(all), StandardCharsets.UTF_8));
      out.flush();
    } else {
      print(shell);
    }
  }

  private void print(Shell shell) {
    PrintWriter out = shell.out();
    var failures = list("/verdict/failures");
    if (!failures.isEmpty()) {
      var table = new Table("FAILED TEST", "FILE OR CLASS", "OWNERS", "QUARANTINED", "MESSAGE");
      failures.stream().limit(MOST_ROWS).forEach(failure -> addRow(table, failure));
      table.print(shell);
      if (failures.size() > MOST_ROWS) {
        out.printf("... and %d more%n", failures.size() - MOST_ROWS);
      }
      out.println();
    }
    printUnread(out);
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

  private void printUnread(PrintWriter out) {
    list("/skipped")
        .forEach(
            s ->
                out.printf(
                    "not read: %s%s: %s%n",
                    line(s.path("file").asString()),
                    s.path("line").asInt() > 0 ? ", line " + s.path("line").asInt() : "",
                    line(s.path("reason").asString())));
    list("/verdict/missing")
        .forEach(
            m ->
                out.printf(
                    "not all there: %s announces %d failures and shows %d%n",
                    line(m.path("file").asString()),
                    m.path("announced").asLong(),
                    m.path("found").asLong()));
    int collided = sum("/collisions_total");
    if (collided > 0) {
      out.printf(
          "%d %s in these reports more than once under one name, such as %s; each result counts by"
              + " itself. --variant tells browsers, platforms or sets of data apart.%n",
          collided,
          collided == 1 ? "test is" : "tests are",
          line(list("/collisions").getFirst().path("name").asString()));
    }
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

  private static String cell(String text) {
    String line = line(text);
    return line.length() <= WIDEST ? line : line.substring(0, WIDEST - 1) + "…";
  }

  /** One line without anything a terminal could obey. */
  private static String line(String text) {
    return text.strip().lines().findFirst().orElse("").replaceAll("\\p{Cntrl}", " ");
  }

  private List<JsonNode> list(String pointer) {
    return answers.stream().flatMap(a -> a.at(pointer).values().stream()).toList();
  }

  private int sum(String pointer) {
    return answers.stream().mapToInt(a -> a.at(pointer).asInt()).sum();
  }
}
