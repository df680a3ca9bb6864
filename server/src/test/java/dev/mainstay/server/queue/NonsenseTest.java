package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.Description;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.URLEncoder;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Requests with nonsense in any field: the answer is one of those that are described, which the
 * node checks, and never that something broke.
 */
@Order(2)
class NonsenseTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Good for every endpoint at once: what one does not know, it ignores. */
  private static final String GOOD =
      """
      {"repo":{"host":"git.example","owner":"acme/web","name":"shop"},"targetBranch":"main",
       "pr":{"number":7,"sha":"0123456789012345678901234567890123456789"},"priority":"high","noBatch":true,
       "impactedTargets":["a","b"],"testRunId":"1","name":"ci","state":"STATE","url":"https://ci.example/1",
       "since":"2026-01-01T00:00:00Z","take":5,"address":"/nowhere.git","testCommand":"make","testTimeoutMinutes":9}
      """;

  private static final List<String> VALUES =
      List.of(
          "null",
          "true",
          "0",
          "-1",
          "2147483648",
          "1e400",
          "123456789012345678901234567890",
          "0.5",
          "\"\"",
          "\" \"",
          "\"\\u0000\"",
          "\"\\ud800\"",
          "\"\\u001b[2J\"",
          "\"'; DROP TABLE merge_queue; --\"",
          "\"--upload-pack=touch /tmp/x\"",
          "\"../../etc/passwd\"",
          "\"%00%n%s\"",
          "\"💥ſİ\"",
          "\"" + "x".repeat(70_000) + "\"",
          "[]",
          "[null,1,[],{}]",
          "[[[[[]]]]]",
          "{}",
          "{\"number\":{\"number\":1}}");

  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "createQueue",
        "getQueue",
        "updateQueue",
        "deleteQueue",
        "submitPullRequest",
        "cancelPullRequest",
        "restartTestsOnPullRequest",
        "getSubmittedPullRequest",
        "setImpactedTargets",
        "listPullRequests",
        "getMergeQueueTestingDetails",
        "reportTestStatus",
        "connectRepository",
        "disconnectRepository",
        "getRepositoryConnection",
        "hooks/git"
      })
  void a_field_may_hold_anything(String operation) {
    String good = good(operation);
    node.post("/v1/createQueue", node.token(), good);
    node.post("/v1/submitPullRequest", node.token(), good);
    for (String field : fields(operation)) {
      for (String value : VALUES) {
        ObjectNode body = (ObjectNode) JSON.readTree(good);
        int slash = field.lastIndexOf('/');
        (slash == 0 ? body : body.withObject(field.substring(0, slash)))
            .set(field.substring(slash + 1), JSON.readTree(value));
        sane(node.post("/v1/" + operation, node.token(), body.toString()), field + " " + value);
      }
    }
    for (byte[] raw : rawBodies(good)) {
      var body = BodyPublishers.ofByteArray(raw);
      sane(node.post("/v1/" + operation, node.token(), "application/json", body), "raw");
    }
  }

  /** All that are described, those within others too, and one that is not. */
  private static List<String> fields(String operation) {
    JsonNode request = Description.DOCUMENT.path("paths").path("/v1/" + operation).path("post");
    var fields = new ArrayList<String>();
    addFields(fields, "", request.at("/requestBody/content/application~1json/schema"));
    assertThat(fields).contains("/repo", "/repo/name");
    fields.add("/unheardOf");
    return fields;
  }

  private static void addFields(List<String> fields, String within, JsonNode described) {
    JsonNode schema = Description.resolved(described);
    for (var property : schema.path("properties").properties()) {
      fields.add(within + "/" + property.getKey());
      addFields(fields, within + "/" + property.getKey(), property.getValue());
    }
    schema.path("allOf").forEach(part -> addFields(fields, within, part));
  }

  /** Each endpoint knows states of its own. */
  private static String good(String operation) {
    String state =
        switch (operation) {
          case "updateQueue" -> "RUNNING";
          case "listPullRequests" -> "MERGED";
          default -> "SUCCESS";
        };
    return GOOD.replace("STATE", state);
  }

  @Test
  void a_parameter_may_hold_anything() {
    for (String name : List.of("repo", "repoHost", "targetBranch", "testRunId", "token")) {
      for (String value : VALUES) {
        String text = URLEncoder.encode(value.replace("\"", ""), StandardCharsets.UTF_8);
        if (text.length() > 2000) {
          text = "x".repeat(2000);
        }
        String given = "repo=acme/shop&repoHost=h&targetBranch=main&testRunId=1&" + name + "=";
        sane(node.get("/v1/getMergeQueueMetrics?" + given + text, node.token()), text);
        sane(node.get("/v1/getTestRunOutput?" + given + text, node.token()), text);
        sane(node.post("/hooks/git?" + given + text, "", ""), text);
      }
    }
  }

  private static void sane(Answer answer, String sent) {
    assertThat(answer.status()).as(sent + ": " + answer.body()).isBetween(200, 499);
  }

  private static List<byte[]> rawBodies(String good) {
    var bodies = new ArrayList<byte[]>();
    for (String text :
        List.of("", " ", "null", "[]", "7", "\"x\"", "{", "{}{}", "{\"a\":1,\"a\":1}", "{a:1}")) {
      bodies.add(text.getBytes(StandardCharsets.UTF_8));
    }
    bodies.add(("{\"a\":" + "[".repeat(1000)).getBytes(StandardCharsets.UTF_8));
    bodies.add(new byte[] {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'});
    bodies.add(good.getBytes(StandardCharsets.UTF_16));
    bodies.add(new byte[5000]);
    return bodies;
  }
}
