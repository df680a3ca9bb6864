package dev.mainstay.server.forge;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.TestNode;
import tools.jackson.databind.JsonNode;

/** Calls about the repository acme/app of a host, and the queue of its branch main. */
public record QueueAtHost(TestNode node) {
  private static final String REPO = "'repo':{'host':'host.example','owner':'acme','name':'app'}";

  /** {@code more} are further fields, in JSON with single quotes. */
  public TestNode.Answer call(String operation, String more) {
    String body = "{%s%s}".formatted(REPO, more.isEmpty() ? "" : "," + more);
    return node.post("/v1/" + operation, node.token(), body.replace('\'', '"'));
  }

  public JsonNode ok(String operation, String more) {
    var answer = call(operation, more);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json();
  }

  public JsonNode pr(String operation, int number) {
    return ok(operation, "'targetBranch':'main','pr':{'number':%d}".formatted(number));
  }

  /** The commit on which a pull request is tested, once it is there. */
  public String tested(int number) {
    return until(
            () -> pr("getMergeQueueTestingDetails", number),
            runs -> !runs.at("/testRuns/0/testBranchSha").asString("").isEmpty())
        .at("/testRuns/0/testBranchSha")
        .asString();
  }

  public JsonNode await(int number, String state) {
    return until(
        () -> pr("getSubmittedPullRequest", number),
        shown -> shown.path("state").asString().equals(state));
  }
}
