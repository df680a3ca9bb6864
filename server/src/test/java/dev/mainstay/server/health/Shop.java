package dev.mainstay.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/** One repository of a node, as a CI system and a person at a keyboard see it. */
public record Shop(TestNode node, String name, String host) {
  public Shop(TestNode node, String name) {
    this(node, name, "github.com");
  }

  public String repo() {
    return "{\"host\":\"%s\",\"owner\":\"acme\",\"name\":\"%s\"}".formatted(host, name);
  }

  /**
   * Results such as {@code "adds passed"}, all of one time; {@code "adds retried"} failed first.
   */
  public Answer upload(Instant at, String about, String... results) {
    var cases = new StringBuilder();
    for (String result : results) {
      String[] words = result.split(" ", 3);
      String message = words.length > 2 ? words[2] : "";
      String inside =
          switch (words[1]) {
            case "passed" -> "";
            case "skipped" -> "<skipped/>";
            case "errored" -> "<error message='%s'/>".formatted(message);
            case "retried" ->
                "<flakyFailure message='%s'>the stack</flakyFailure>".formatted(message);
            default -> "<failure message='%s'>the stack</failure>".formatted(message);
          };
      cases
          .append(
              "<testcase classname='C' file='src/%s.py' name='%s'>".formatted(words[0], words[0]))
          .append(inside)
          .append("</testcase>");
    }
    var answer =
        node.post(
            "/v1/test-results?repo=%s/acme/%s".formatted(host, name) + about,
            node.token(),
            "application/xml",
            BodyPublishers.ofString(
                "<testsuite name='Suite' timestamp='%s'>%s</testsuite>".formatted(at, cases)));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  public Answer ask(String path, String fields) {
    return node.post(
        path,
        node.token(),
        "{\"repo\":%s,\"org_url_slug\":\"default\"%s}"
            .formatted(repo(), fields.isEmpty() ? "" : "," + fields));
  }

  public Answer failing(Instant start, Instant end, int size, String token) {
    return ask(
        "/v1/flaky-tests/list-failing-tests",
        "\"start_time\":\"%s\",\"end_time\":\"%s\",\"page_query\":{\"page_size\":%d,\"page_token\":\"%s\"}"
            .formatted(start, end, size, token));
  }

  /** The names on the first page. */
  public List<String> failing(Instant start, Instant end) {
    var answer = failing(start, end, 100, "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return names(answer);
  }

  public static List<String> names(Answer answer) {
    var names = new ArrayList<String>();
    answer.json().path("tests").forEach(test -> names.add(test.path("name").asString()));
    return names;
  }

  public UUID id(String name) {
    JsonNode tests = ask("/v1/tests/list", "\"search\":\"%s\"".formatted(name)).json();
    for (JsonNode test : tests.path("tests")) {
      if (test.path("name").asString().equals(name)) {
        return UUID.fromString(test.path("id").asString());
      }
    }
    throw new AssertionError("no test " + name + " in " + tests);
  }

  public JsonNode details(String name) {
    return ask("/v1/flaky-tests/get-test-details", "\"test_id\":\"%s\"".formatted(id(name)))
        .json()
        .path("test");
  }
}
