package dev.mainstay.server.health.ingest;

import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What an upload tells those outside: the tests that failed in it. */
final class UploadFacts {
  private static final int MOST_TESTS = 10;
  private static final int LONGEST = 300;

  private UploadFacts() {}

  /** Nothing where none failed, or the upload was set aside. */
  static List<Fact> of(Upload upload, int failed, ObjectNode answer) {
    if (failed == 0 || answer.path("set_aside").asBoolean()) {
      return List.of();
    }
    ObjectNode content = Json.object();
    ObjectNode told =
        content
            .putObject("upload")
            .put("id", upload.publicId().toString())
            .put("branch", upload.about().branch())
            .put("commit", upload.about().commit())
            .put("job", upload.about().job());
    upload.about().pullRequest().ifPresent(pr -> told.put("pr", pr));
    upload.about().ciUrl().ifPresent(url -> told.put("ci_url", bounded(url)));
    JsonNode verdict = answer.path("verdict");
    told.put("may_pass", verdict.path("may_pass").asBoolean());
    content
        .putObject("reason")
        .put("code", "tests_failed")
        .put("message", failed == 1 ? "1 test failed." : "%d tests failed.".formatted(failed));
    ArrayNode tests = content.put("failed_tests_total", failed).putArray("failed_tests");
    for (JsonNode test : verdict.path("failures")) {
      if (tests.size() < MOST_TESTS) {
        tests
            .addObject()
            .put("id", test.path("test_id").asString(""))
            .put("name", bounded(test.path("name").asString("")))
            .put("classname", bounded(test.path("classname").asString("")))
            .put("file", bounded(test.path("file").asString("")))
            .put("message", bounded(test.path("message").asString("")))
            .put("quarantined", test.path("quarantined").asBoolean());
      }
    }
    return List.of(
        new Fact(
            "upload.failed_tests", "upload/" + upload.publicId(), upload.receivedAt(), content));
  }

  private static String bounded(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST);
  }
}
