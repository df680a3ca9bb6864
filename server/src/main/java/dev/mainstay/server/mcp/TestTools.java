package dev.mainstay.server.mcp;

import static dev.mainstay.server.mcp.Parameter.optional;
import static dev.mainstay.server.mcp.Parameter.required;

import dev.mainstay.server.mcp.Parameter.Choice;
import dev.mainstay.server.mcp.Parameter.Kind;
import dev.mainstay.server.mcp.Parameter.Text;
import dev.mainstay.server.mcp.Parameter.Whole;
import dev.mainstay.server.mcp.Tool.Effect;
import dev.mainstay.server.platform.http.Scope;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Tools about tests and their health. */
final class TestTools {
  private static final int MOST_HOURS = 7 * 24;
  private static final int USUAL_HOURS = 24;
  private static final int MOST_CANDIDATES = 10;
  private static final int MOST_PASSES = 1000;

  private static final Parameter REPO = QueueTools.REPO;
  private static final Parameter TEST =
      required("test_id", Kind.TEST_ID, "The id of the test, as lists of tests show it.");

  private static final List<Tool> ALL =
      List.of(
          new Tool(
              "list_failing_tests",
              "List failing tests",
              Scope.READ,
              Effect.NONE,
              "Lists the tests that failed in the last hours, the latest failure first, each with its"
                  + " status (healthy, flaky, broken), its failure rates, its owners and whether it is"
                  + " quarantined.",
              List.of(
                  REPO,
                  optional("hours", new Whole(1, MOST_HOURS), "How far back; 24 if not given."),
                  optional("end_time", Kind.TIME, "Back from when; from now if not given."),
                  QueueTools.TAKE,
                  optional(
                      "page_token",
                      new Text(200),
                      "The page.next_page_token of the answer before; give its end_time too, and the"
                          + " same hours and take.")),
              TestTools::failing),
          new Tool(
              "list_tests",
              "Find tests",
              Scope.READ,
              Effect.NONE,
              "Finds tests by a part of their name, class or file, by status or by quarantine; those"
                  + " that failed last come first. Use it to get the test_id of a test, or to list all"
                  + " flaky, broken or quarantined tests.",
              List.of(
                  REPO,
                  optional("search", new Text(500), "A part of the name, the class or the file."),
                  optional(
                      "status",
                      new Choice(List.of("healthy", "flaky", "broken")),
                      "Only tests of this status."),
                  optional(
                      "quarantined", Kind.FLAG, "Only those that are quarantined, or are not."),
                  QueueTools.TAKE,
                  optional("after", new Text(3000), "The after of the answer before.")),
              TestTools::list),
          new Tool(
              "get_test_health",
              "Is this test flaky?",
              Scope.READ,
              Effect.NONE,
              "Tells whether a test is flaky, broken or healthy, and why: the evidence, how likely it"
                  + " is flaky, its failure rates, its most common failures, when that began and between"
                  + " which commits, and whether it is quarantined. Give its test_id, or a part of its"
                  + " name; where several tests fit, they are listed.",
              List.of(
                  REPO,
                  optional("test_id", Kind.TEST_ID, "The id of the test."),
                  optional("name", new Text(500), "Or a part of its name, class or file.")),
              TestTools::health),
          new Tool(
              "quarantine_test",
              "Decide about the quarantine of a test",
              Scope.QUEUE,
              Effect.ENDS,
              "Decides whether failures of a test fail a job: ALWAYS_QUARANTINE lets jobs pass in spite"
                  + " of them, NEVER_QUARANTINE never does, NONE takes such a decision back. It has an"
                  + " effect where quarantining is switched on for the repository. A quarantine hides"
                  + " failures: give a reason, and an end where there is one.",
              List.of(
                  REPO,
                  TEST,
                  required(
                      "setting",
                      new Choice(List.of("ALWAYS_QUARANTINE", "NEVER_QUARANTINE", "NONE")),
                      "What is decided."),
                  optional("reason", new Text(500), "Why; required unless the setting is NONE."),
                  optional("until", Kind.TIME, "When it ends, such as 2026-01-31T12:00:00Z."),
                  optional(
                      "after_passes",
                      new Whole(1, MOST_PASSES),
                      "Or after so many passes in a row; the first end that comes counts."),
                  optional(
                      "until_ticket_closed",
                      Kind.FLAG,
                      "Or when the ticket of the test is closed; link one first.")),
              TestTools::quarantine),
          new Tool(
              "link_ticket",
              "Link a ticket to a test",
              Scope.QUEUE,
              Effect.ENDS,
              "Links a ticket of the team's tracker to a test, so that everybody who meets the test"
                  + " finds it. Another link of the test is replaced.",
              List.of(REPO, TEST, required("ticket", new Text(83), "The ticket, such as SHOP-12.")),
              TestTools::link));

  private TestTools() {}

  static List<Tool> all() {
    return ALL;
  }

  private static Told failing(ApiCalls api, Arguments in) {
    String end = in.text("end_time").orElseGet(() -> now(api).toString());
    Map<String, Object> body = in.aboutRepo();
    body.put("org_url_slug", api.caller().organization());
    body.put(
        "start_time",
        Instant.parse(end).minus(Duration.ofHours(in.number("hours", USUAL_HOURS))).toString());
    body.put("end_time", end);
    body.put(
        "page_query",
        Map.of(
            "page_size",
            in.number("take", QueueTools.USUAL_TAKE),
            "page_token",
            in.text("page_token").orElse("")));
    ObjectNode page = api.post("flaky-tests/list-failing-tests", body).put("end_time", end);
    return Told.of(TestTexts.failing(page), page);
  }

  private static Instant now(ApiCalls api) {
    return api.clock().instant().truncatedTo(ChronoUnit.MILLIS);
  }

  private static Told list(ApiCalls api, Arguments in) {
    Map<String, Object> body = in.only("repo", "search", "status", "quarantined", "after");
    body.put("order", "failed_last");
    body.put("take", in.number("take", QueueTools.USUAL_TAKE));
    ObjectNode page = api.post("tests/list", body);
    return Told.of(TestTexts.found(page), page);
  }

  private static Told health(ApiCalls api, Arguments in) {
    if (in.has("test_id")) {
      return show(api, in.only("repo", "test_id"));
    }
    if (!in.has("name")) {
      return Told.failed("Give the test_id of the test, or a part of its name as name.");
    }
    Map<String, Object> body = in.aboutRepo();
    body.put("search", in.text("name").orElseThrow());
    body.put("take", MOST_CANDIDATES);
    ObjectNode found = api.post("tests/list", body);
    JsonNode tests = found.path("tests");
    if (tests.size() == 1) {
      Map<String, Object> one = in.aboutRepo();
      one.put("test_id", tests.get(0).path("id").asString());
      return show(api, one);
    }
    return Told.of(TestTexts.candidates(found), found);
  }

  private static Told show(ApiCalls api, Map<String, Object> test) {
    ObjectNode dossier = api.post("tests/show", test);
    return Told.of(TestTexts.health(dossier), dossier);
  }

  private static Told quarantine(ApiCalls api, Arguments in) {
    ObjectNode done =
        api.post(
            "tests/quarantine",
            in.only(
                "repo",
                "test_id",
                "setting",
                "reason",
                "until",
                "after_passes",
                "until_ticket_closed"));
    if (!api.caller().may(Scope.READ)) {
      return Told.of("Decided.", done);
    }
    Map<String, Object> body = in.only("repo", "test_id");
    body.put("org_url_slug", api.caller().organization());
    ObjectNode test = api.post("flaky-tests/get-test-details", body);
    return Told.of(
        test.path("test").path("quarantined").asBoolean()
            ? "Decided: the test is quarantined now."
            : "Decided: the test is not quarantined now.",
        test);
  }

  private static Told link(ApiCalls api, Arguments in) {
    Map<String, Object> body = in.aboutRepo();
    body.put("test_case_id", in.text("test_id").orElseThrow());
    body.put("external_ticket_id", in.text("ticket").orElseThrow());
    ObjectNode linked = api.post("flaky-tests/link-ticket-to-test-case", body);
    return Told.of("Linked: " + linked.path("ticket").path("html_url").asString(), linked);
  }
}
