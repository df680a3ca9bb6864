package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Why a pull request failed: where it stands, and what its last test run says. */
final class Failures {
  private static final int USUAL_LINES = 60;
  private static final int MOST_OUTPUT = 24_000;
  private static final int SHOWN_OUTPUT = 6_000;
  private static final int SHOWN_TESTS = 20;

  private Failures() {}

  static Told explain(ApiCalls api, Arguments in) {
    ObjectNode pr = api.post("getSubmittedPullRequest", in.aboutPullRequest());
    Optional<ObjectNode> run = lastRun(api, in);
    ObjectNode content = Json.object().set("pullRequest", pr);
    run.ifPresent(r -> content.set("testRun", r));
    return Told.of(
        QueueTexts.pullRequest(pr)
            + run.map(Failures::text).orElse("\nNo test run of it is known."),
        content);
  }

  /** Empty where nothing was tested, or nobody remembers. */
  private static Optional<ObjectNode> lastRun(ApiCalls api, Arguments in) {
    Map<String, Object> body = in.aboutPullRequest();
    body.put("lines", in.number("lines", USUAL_LINES));
    try {
      ObjectNode run = api.post("getTestRunLog", body);
      // What a run says at its end matters most, so that is what stays.
      return Optional.of(run.put("output", Texts.end(run.path("output").asString(), MOST_OUTPUT)));
    } catch (ApiError e) {
      if (e.status() == 404) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static String text(JsonNode run) {
    var text =
        new StringBuilder(
            "\nIts last test run %s is %s."
                .formatted(run.path("testRunId").asString(), run.path("status").asString()));
    run.path("checks")
        .forEach(
            check ->
                text.append(
                    "\nstatus %s: %s %s"
                        .formatted(
                            Texts.line(check.path("name").asString()),
                            check.path("state").asString(),
                            check.path("url").asString())
                        .stripTrailing()));
    JsonNode tests = run.path("failedTests");
    text.append(
        tests.isEmpty()
            ? "\nNo results of tests were sent for it."
            : "\nFailed tests (%d):\n%s".formatted(tests.size(), failed(tests)));
    String output = run.path("output").asString();
    return output.isEmpty()
        ? text.toString()
        : text + "\nThe end of the output:\n" + Texts.end(output, SHOWN_OUTPUT);
  }

  private static String failed(JsonNode tests) {
    return tests
        .valueStream()
        .limit(SHOWN_TESTS)
        .map(
            test ->
                "- %s %s, test_id %s, known as %s%s: %s"
                    .formatted(
                        Texts.line(test.path("classname").asString()),
                        Texts.line(test.path("name").asString()),
                        test.path("testId").asString(),
                        test.path("status").asString("nothing yet"),
                        test.path("quarantined").asBoolean() ? ", quarantined" : "",
                        Texts.line(test.path("message").asString())))
        .collect(Collectors.joining("\n"));
  }
}
