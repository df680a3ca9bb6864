package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import dev.mainstay.server.TestNode.Answer;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Calls about one queue of one repository, with one key. */
record QueueCalls(TestNode node, String token, String repo, String branch) {

  /** Calls an endpoint; {@code more} are further fields, in JSON with single quotes. */
  Answer call(String operation, String more) {
    return node.post("/v1/" + operation, token, body(more));
  }

  Answer call(String operation) {
    return call(operation, "");
  }

  Answer call(String operation, int pr, String more) {
    return call(operation, "'pr':{'number':%d}%s".formatted(pr, more.isEmpty() ? "" : "," + more));
  }

  Answer call(String operation, int pr) {
    return call(operation, pr, "");
  }

  JsonNode ok(String operation, String more) {
    return good(call(operation, more));
  }

  JsonNode ok(String operation) {
    return ok(operation, "");
  }

  JsonNode ok(String operation, int pr, String more) {
    return good(call(operation, pr, more));
  }

  JsonNode ok(String operation, int pr) {
    return ok(operation, pr, "");
  }

  String body(String more) {
    String json =
        "{'repo':{'host':'git.example','owner':'acme','name':'%s'},'targetBranch':'%s'%s}"
            .formatted(repo, branch, more.isEmpty() ? "" : "," + more);
    return json.replace('\'', '"');
  }

  /** The fields an answer finds fault with. */
  static List<String> faults(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(400);
    return answer.json().path("errors").valueStream().map(e -> e.path("field").asString()).toList();
  }

  static void refused(Answer answer, int status, String code) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
  }

  private static JsonNode good(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }
}
