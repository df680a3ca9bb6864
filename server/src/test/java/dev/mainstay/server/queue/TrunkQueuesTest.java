package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.net.http.HttpRequest.BodyPublishers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Queues below /trunk, beside what recorded conversations show. */
class TrunkQueuesTest {
  private static TestNode node;

  @BeforeAll
  static void start() {
    node = TestNode.start();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @Test
  void what_was_sent_is_answered_until_somebody_changes_it_elsewhere() {
    trunk("createQueue", "kept", "'concurrency':5000");
    JsonNode sent =
        trunk(
            "updateQueue",
            "kept",
            "'testingTimeoutMinutes':20000.0,'requiredStatuses':['a','b','a'],'enqueueingLabel':'go'");
    assertThat(sent.path("concurrency").intValue()).isEqualTo(5000);
    assertThat(sent.path("testingTimeoutMinutes").doubleValue()).isEqualTo(20000);
    assertThat(sent.path("requiredStatuses").toString()).isEqualTo("[\"a\",\"b\",\"a\"]");
    JsonNode used = v1("getQueue", "kept", "");
    assertThat(used.path("concurrency").intValue()).isEqualTo(1000);
    assertThat(used.path("testingTimeoutMinutes").intValue()).isEqualTo(10_080);
    assertThat(used.path("requiredStatuses").toString()).isEqualTo("[\"a\",\"b\"]");
    assertThat(used.path("enqueueingLabel").stringValue()).isEqualTo("go");

    v1("updateQueue", "kept", "'testingTimeoutMinutes':90,'requiredStatuses':['b']");
    JsonNode drifted = trunk("getQueue", "kept", "");
    assertThat(drifted.path("concurrency").intValue()).isEqualTo(5000);
    assertThat(drifted.path("testingTimeoutMinutes").intValue()).isEqualTo(90);
    assertThat(drifted.path("requiredStatuses").toString()).isEqualTo("[\"b\"]");
    JsonNode mended = trunk("updateQueue", "kept", "'concurrency':8,'enqueueingLabel':''");
    assertThat(mended.path("concurrency").intValue()).isEqualTo(8);
    assertThat(mended.path("bisectionConcurrency").intValue()).isEqualTo(1000);
    assertThat(mended.path("enqueueingLabel").stringValue()).isEmpty();
  }

  @Test
  void words_of_ours_are_in_lower_case_and_those_of_others_as_they_are() {
    trunk("createQueue", "RELEASE", "'mergeMethod':'REBASE','requiredStatuses':['CI']");
    JsonNode submitted = trunk("submitPullRequest", "RELEASE", "'pr':{'number':'7'}");
    assertThat(submitted.path("state").stringValue()).isEqualTo("not_ready");
    JsonNode queue = trunk("getQueue", "RELEASE", "");
    assertThat(queue.path("branch").stringValue()).isEqualTo("RELEASE");
    assertThat(queue.path("mergeMethod").stringValue()).isEqualTo("rebase");
    assertThat(queue.path("requiredStatuses").toString()).isEqualTo("[\"CI\"]");
    assertThat(queue.at("/enqueuedPullRequests/0/state").stringValue()).isEqualTo("not_ready");
    assertThat(queue.at("/enqueuedPullRequests/0/readiness/mergeability").stringValue())
        .isEqualTo("unspecified");
    assertThat(v1("getQueue", "RELEASE", "").path("mergeMethod").stringValue()).isEqualTo("REBASE");
  }

  @Test
  void errors_are_sentences_and_a_missing_content_type_is_json() {
    Answer faulty =
        call("/trunk/v1/updateQueue", body("x", "'concurrency':0,'pendingFailureDepth':1e300"));
    assertThat(faulty.status()).isEqualTo(400);
    assertThat(faulty.header("content-type")).isEqualTo("text/plain; charset=utf-8");
    assertThat(faulty.body())
        .isEqualTo(
            "concurrency: must be a whole number from 1 to 1000\n"
                + "pendingFailureDepth: must be a whole number from 0 to 100");
    Answer unknown = call("/trunk/v1/getQueue", body("unknown", ""));
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.body()).startsWith("The organization has no queue");
    assertThat(call("/trunk/v1/keys/list", "{}").status()).isEqualTo(404);
    assertThat(call("/trunk/v1/deleteQueue", body("unknown", "")).body()).isEqualTo("{}");
    var other =
        node.send(
            node.request("/trunk/v1/getQueue", node.token())
                .header("content-type", "text/csv")
                .POST(BodyPublishers.ofString(body("x", ""))));
    assertThat(other.status()).isEqualTo(415);
    assertThat(
            node.send(
                    node.request("/v1/getQueue", node.token()).POST(BodyPublishers.ofString("{}")))
                .status())
        .isEqualTo(415);
    Answer refused = node.get("/trunk/v1/getMergeQueueMetrics", "mst_wrong");
    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.header("www-authenticate")).isNotEmpty();
  }

  @Test
  void a_list_is_found_by_its_older_name_too() {
    String repo = "'repo':{'host':'git.example','owner':'acme','name':'list'}";
    node.post(
        "/v1/repositories/set-test-settings", node.token(), ("{" + repo + "}").replace('\'', '"'));
    String asked =
        ("{" + repo + ",'org_url_slug':'default','page_query':{'page_size':5}}").replace('\'', '"');
    Answer older = call("/trunk/v1/flaky-tests/quarantined", asked);
    assertThat(older.status()).isEqualTo(200);
    assertThat(older.body())
        .isEqualTo(call("/trunk/v1/flaky-tests/list-quarantined-tests", asked).body());
  }

  private static JsonNode trunk(String operation, String branch, String more) {
    return good(call("/trunk/v1/" + operation, body(branch, more)));
  }

  private static JsonNode v1(String operation, String branch, String more) {
    return good(node.post("/v1/" + operation, node.token(), body(branch, more)));
  }

  private static JsonNode good(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  /** Without a content type. */
  private static Answer call(String path, String body) {
    return node.send(node.request(path, node.token()).POST(BodyPublishers.ofString(body)));
  }

  private static String body(String branch, String more) {
    return "{'repo':{'host':'git.example','owner':'acme','name':'shop'},'targetBranch':'%s'%s}"
        .formatted(branch, more.isEmpty() ? "" : "," + more)
        .replace('\'', '"');
  }
}
