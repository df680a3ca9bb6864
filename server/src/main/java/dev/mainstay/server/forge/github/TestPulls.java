package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.TestPullRequest;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** Draft pull requests of test branches, for CI that starts by nothing else. */
record TestPulls(GitHubClient client) {
  PullRequestRef open(TestPullRequest test) {
    RefNames.testBranch(test.branch());
    Optional<PullRequestRef> open = find(test);
    return open.isPresent() ? open.get() : create(test);
  }

  private Optional<PullRequestRef> find(TestPullRequest test) {
    String head = client.address().owner() + ":" + test.branch();
    Answer answer =
        client.get(
            "/pulls?state=open&head=%s&base=%s"
                .formatted(GitHubClient.encoded(head), GitHubClient.encoded(test.targetBranch())));
    return Optional.of(answer.json().path(0).path("number").asInt(0))
        .filter(number -> number > 0)
        .map(PullRequestRef::new);
  }

  /** Not every plan of GitHub has drafts; and another node may have been faster. */
  private PullRequestRef create(TestPullRequest test) {
    Answer draft = client.send("POST", "/pulls", body(test).put("draft", true));
    Answer answer =
        draft.status() == 422 && draft.json().toString().contains("raft")
            ? client.send("POST", "/pulls", body(test))
            : draft;
    int number = answer.json().path("number").asInt(0);
    if (answer.ok() && number > 0) {
      return new PullRequestRef(number);
    }
    return find(test)
        .orElseThrow(
            () ->
                new ForgeUnavailable(
                    "%s opens no pull request for the test branch %s: %s"
                        .formatted(client.address().host(), test.branch(), answer.words())));
  }

  private static ObjectNode body(TestPullRequest test) {
    ObjectNode body = Json.object().put("title", test.title()).put("body", test.text());
    return body.put("head", test.branch()).put("base", test.targetBranch());
  }
}
