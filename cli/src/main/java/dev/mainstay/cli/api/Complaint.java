package dev.mainstay.cli.api;

import dev.mainstay.cli.shell.Table;
import dev.mainstay.server.platform.Json;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An answer other than success, for people: the detail and the faults of its problem document, or
 * its first line where it is none.
 */
record Complaint(int status, Optional<String> detail, List<String> faults, String firstLine) {
  private static final int LONGEST_LINE = 300;

  static Complaint of(HttpResponse<byte[]> answer) {
    int status = answer.statusCode();
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    String first = line(text.lines().findFirst().orElse(""));
    try {
      var problem = Json.readObject(answer.body());
      List<String> faults =
          problem.path("errors").values().stream()
              .map(e -> line(e.path("field").asString("") + ": " + e.path("message").asString("")))
              .toList();
      var detail = problem.path("detail").asStringOpt().map(Complaint::line);
      return new Complaint(status, detail, faults, first);
    } catch (RuntimeException e) {
      return new Complaint(status, Optional.empty(), List.of(), first);
    }
  }

  /** The detail, or a line for each fault where there are several. */
  String inFull() {
    if (faults.size() > 1) {
      return faults.stream()
          .map("%n  %s"::formatted)
          .collect(Collectors.joining("", "The server found these faults:", ""));
    }
    return detail.orElseGet(this::inShort);
  }

  /** The status and the detail. */
  String inShort() {
    return "%d %s".formatted(status, detail.orElse(firstLine));
  }

  private static String line(String text) {
    String harmless = Table.harmless(text);
    return harmless.length() > LONGEST_LINE ? harmless.substring(0, LONGEST_LINE) : harmless;
  }
}
