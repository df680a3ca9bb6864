package dev.mainstay.server.forge.gitea;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.QueueAtHost;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A queue of a repository at a real Gitea, whose hooks call us, as its users see it. */
class GiteaQueueTest extends GiteaScene {
  private TestNode node;
  private QueueAtHost queue;

  @BeforeEach
  void queue() {
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            true,
            "enable_push_whitelist",
            true,
            "push_whitelist_usernames",
            List.of(RealGitea.OWNER),
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("ci")));
    node = TestNode.start();
    queue = new QueueAtHost(node);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private void connected(String settings) {
    JsonNode made =
        queue.ok(
            "connectRepository",
            "'address':'%s','credentials':{'token':'%s'}"
                .formatted(gitea.location(), gitea.owner().token()));
    assertThat(made.path("kind").asString()).isEqualTo("gitea");
    gitea
        .owner()
        .post(
            gitea.path() + "/hooks",
            Map.of(
                "type",
                "gitea",
                "active",
                true,
                "events",
                List.of("push", "pull_request", "status", "delete"),
                "config",
                Map.of(
                    "url", "http://127.0.0.1:%d/hooks/gitea".formatted(node.port()),
                    "content_type", "json",
                    "secret", made.path("hookSecret").asString())));
    queue.ok("createQueue", "'targetBranch':'main'" + settings);
  }

  @Test
  void what_passes_lands_as_tested_and_is_shown_as_merged() {
    connected(",'createPrsForTestingBranches':true");
    CommitSha head = open(1, Edit.on(main).says("One").file("1.txt", "1"));
    queue.pr("submitPullRequest", 1);
    String tested = queue.tested(1);
    until(() -> gitea.owner().get(gitea.path() + "/pulls?state=open"), open -> open.size() == 2);
    status(new CommitSha(tested), "ci", "success");

    JsonNode landed = queue.await(1, "MERGED").path("landed");
    assertThat(landed.path("how").asString()).isEqualTo("TESTED_COMMIT");
    assertThat(landed.path("sha").asString()).isEqualTo(tested);
    assertThat(world.branch("main")).contains(new CommitSha(tested));
    gitea.pullOnce(1, "/merged", true);
    until(
        () -> gitea.owner().get(gitea.path() + "/commits/" + head + "/status"),
        shown -> shown.toString().contains("Merged as " + tested.substring(0, 10)));
    until(() -> gitea.owner().get(gitea.path() + "/pulls?state=open"), open -> open.isEmpty());
    until(() -> world.branches(), left -> left.equals(List.of("main")));
  }

  @Test
  void what_fails_does_not_land_and_the_check_says_why() {
    connected("");
    CommitSha head = open(1, Edit.on(main).says("One").file("1.txt", "1"));
    queue.pr("submitPullRequest", 1);
    status(new CommitSha(queue.tested(1)), "ci", "failure");
    queue.await(1, "FAILED");
    assertThat(world.branch("main")).contains(main);
    until(
        () -> gitea.owner().get(gitea.path() + "/commits/" + head + "/status"),
        shown -> shown.toString().contains("Not merged: The status ci failed."));
  }
}
