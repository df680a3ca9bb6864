package dev.mainstay.server.report.json;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Ending;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.RunTeller;

/**
 * RSpec's formatter {@code json}. What was said when a file could not be loaded is a failed test
 * named after RSpec, for no example is there to be one.
 */
final class RspecJson implements JsonFormat {
  private final RecentText paths = RecentText.path();
  private final RecentText statuses = RecentText.plain();
  private final StringBuilder stack = new StringBuilder();
  private String recentGroup = "";
  private String said = "";
  private double outside;

  @Override
  public void read(JsonCursor json, RunTeller teller) {
    json.object(
        field -> {
          switch (field) {
            case "messages" -> json.array(() -> said = said.isEmpty() ? json.text() : said);
            case "examples" -> json.array(() -> example(json, teller));
            case "summary" -> json.object(count -> summary(count, json, teller));
            default -> {}
          }
        });
    if (outside > 0) {
      teller.tellFault("", "rspec", said, said);
    }
  }

  private void summary(String count, JsonCursor json, RunTeller teller) {
    switch (count) {
      case "failure_count" -> teller.announce(json.number());
      case "errors_outside_of_examples_count" -> outside = json.number();
      default -> {}
    }
  }

  private void example(JsonCursor json, RunTeller teller) {
    stack.setLength(0);
    var example = new Example();
    for (String field = json.firstField(); field != null; field = json.nextField()) {
      example.field(field, json);
    }
    example.tell(teller);
  }

  private final class Example {
    private static final int MOST_STACK = 16_000;

    private String description = "";
    private String fullDescription = "";
    private String status = "";
    private String file = "";
    private int duration = ReportedRun.UNKNOWN_DURATION;
    private String type = "";
    private String message = "";

    void field(String field, JsonCursor json) {
      switch (field) {
        case "description" -> description = json.text();
        case "full_description" -> fullDescription = json.text();
        case "status" -> status = json.text(statuses);
        case "file_path" -> file = json.text(paths);
        case "run_time" -> duration = json.seconds();
        case "exception" -> json.object(part -> exception(part, json));
        default -> {}
      }
    }

    private void exception(String part, JsonCursor json) {
      switch (part) {
        case "class" -> type = json.text();
        case "message" -> message = json.text();
        case "backtrace" ->
            json.array(
                () -> {
                  if (stack.length() < MOST_STACK) {
                    stack.append(json.text());
                    stack.append('\n');
                  }
                });
        default -> {}
      }
    }

    private String group() {
      int end = fullDescription.length() - description.length();
      if (!fullDescription.endsWith(description)) {
        return fullDescription;
      }
      boolean same =
          end == recentGroup.length() + 1
              && fullDescription.startsWith(recentGroup)
              && fullDescription.charAt(end - 1) == ' ';
      recentGroup = same ? recentGroup : fullDescription.substring(0, end).strip();
      return recentGroup;
    }

    void tell(RunTeller teller) {
      Outcome outcome =
          switch (status) {
            case "passed" -> Outcome.PASSED;
            case "failed" -> Outcome.FAILED;
            default -> Outcome.SKIPPED;
          };
      String group = group();
      teller.tellOnce(
          file,
          group,
          group,
          description,
          Ending.of(outcome, ReportedRun.UNKNOWN_TIME, duration, type, message, stack.toString()));
    }
  }
}
