package dev.mainstay.server.forge.gitlab;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.QueueAtHost;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A queue of a project at GitLab, as its users see it: over HTTP, and by GitLab's hooks. */
class QueueOnGitLabTest {
  @TempDir private Path directory;
  private GitLabWorld world;
  private TestNode node;
  private QueueAtHost queue;
  private CommitSha main;
  private String secret = "";

  @BeforeEach
  void begin() {
    world = new GitLabWorld(directory, false);
    main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n").file("b.txt", "1\n"));
    world.push("main", main);
    world.gitlab.startsPipelines = true;
    node = TestNode.start();
    queue = new QueueAtHost(node);
  }

  @AfterEach
  void stop() {
    node.close();
    world.close();
  }

  private void connect() {
    JsonNode made =
        queue.ok(
            "connectRepository",
            "'address':'%s','credentials':{'token':'%s'}"
                .formatted(world.location(), FakeGitLab.TOKEN));
    assertThat(made.path("kind").asString()).isEqualTo("gitlab");
    secret = made.path("hookSecret").asString();
    queue.ok("createQueue", "'targetBranch':'main'");
  }

  private int hook(String token, String path) {
    return node.send(
            node.request("/hooks/gitlab", "")
                .header("content-type", "application/json")
                .header("X-Gitlab-Event", "Pipeline Hook")
                .header("X-Gitlab-Token", token)
                .POST(
                    BodyPublishers.ofString(
                        "{\"object_kind\":\"pipeline\",\"project\":{\"path_with_namespace\":\"%s\"}}"
                            .formatted(path))))
        .status();
  }

  /** Hooks may come twice. */
  private void look() {
    assertThat(hook(secret, "Acme/Platform/App")).isEqualTo(200);
    assertThat(hook(secret, "Acme/Platform/App")).isEqualTo(200);
  }

  private CommitSha opened(int number) {
    CommitSha head =
        world.commit(Edit.on(main).says("Change " + number).file(number + ".txt", "1"));
    world.open(number, head);
    return head;
  }

  private void finish(String sha, String status) {
    synchronized (world.gitlab) {
      world.gitlab.pipelines.newest(sha).orElseThrow().status = status;
    }
  }

  @Test
  void what_passes_its_pipeline_lands_as_tested_and_is_shown_as_merged() {
    connect();
    opened(1);
    opened(2);
    queue.pr("submitPullRequest", 1);
    queue.pr("submitPullRequest", 2);
    finish(queue.tested(1), "success");
    String last = queue.tested(2);
    JsonNode run = queue.pr("getMergeQueueTestingDetails", 2).at("/testRuns/0");
    assertThat(run.path("requiredStatuses").toString()).isEqualTo("[\"pipeline\"]");
    finish(last, "success");
    look();

    JsonNode landed = queue.await(2, "MERGED").path("landed");
    assertThat(landed.path("how").asString()).isEqualTo("TESTED_COMMIT");
    assertThat(landed.path("sha").asString()).isEqualTo(last);
    assertThat(world.branch("main")).contains(new CommitSha(last));
    assertThat(world.gitlab.requests.of(1).state).isEqualTo("merged");
    assertThat(world.gitlab.requests.of(2).state).isEqualTo("merged");
    until(
        () -> world.branches(),
        branches -> branches.stream().noneMatch(b -> b.startsWith("mainstay/")));
  }

  @Test
  void what_fails_its_pipeline_does_not_land_and_what_gitlab_blocks_does_not_enter() {
    connect();
    opened(1);
    opened(2);
    queue.pr("submitPullRequest", 1);
    finish(queue.tested(1), "failed");
    look();
    queue.await(1, "FAILED");
    assertThat(world.branch("main")).contains(main);

    world.gitlab.requests.of(2).status = "not_approved";
    JsonNode blocked = queue.pr("submitPullRequest", 2);
    assertThat(blocked.path("state").asString()).isEqualTo("NOT_READY");
    assertThat(blocked.at("/readiness/waitingFor").toString()).contains("approvals");
    world.gitlab.requests.of(2).status = "ci_must_pass";
    queue.pr("submitPullRequest", 2);
    queue.await(2, "TESTING");
  }

  @Test
  void heads_get_our_check_only_where_somebody_wants_it() {
    queue.ok("createQueue", "'targetBranch':'main'");
    String how =
        "'address':'%s','credentials':{'token':'%s'}".formatted(world.location(), FakeGitLab.TOKEN);
    queue.ok("connectRepository", how);
    queue.ok("createQueue", "'targetBranch':'other'");
    assertThat(wantsChecks("main")).isFalse();
    assertThat(wantsChecks("other")).isFalse();
    CommitSha head = opened(1);
    queue.pr("submitPullRequest", 1);
    queue.await(1, "TESTING");
    assertThat(world.gitlab.faults.count("POST statuses/SHA")).isZero();

    queue.ok("updateQueue", "'targetBranch':'main','statusCheckEnabled':true");
    queue.ok("connectRepository", how);
    assertThat(wantsChecks("main")).isTrue();
    until(() -> ourCheck(head), shown -> shown);
  }

  private boolean wantsChecks(String branch) {
    return queue
        .ok("getQueue", "'targetBranch':'%s'".formatted(branch))
        .path("statusCheckEnabled")
        .asBoolean();
  }

  private boolean ourCheck(CommitSha head) {
    synchronized (world.gitlab) {
      return world.gitlab.pipelines.all.stream()
          .filter(p -> p.sha.equals(head.value()))
          .flatMap(p -> p.jobs.stream())
          .anyMatch(job -> job.name.equals("mainstay") && job.status.equals("running"));
    }
  }

  @Test
  void hooks_are_believed_by_their_secret_and_a_moved_project_goes_on() {
    connect();
    assertThat(hook(secret, "acme/platform/app")).isEqualTo(200);
    assertThat(hook("guess", "acme/platform/app")).isEqualTo(401);
    assertThat(hook(secret, "acme/platform/unknown")).isEqualTo(401);
    assertThat(node.post("/hooks/gitlab", "", "{}").status()).isEqualTo(401);

    world.gitlab.project.path = "acme/shop/app";
    opened(1);
    queue.pr("submitPullRequest", 1);
    finish(queue.tested(1), "success");
    look();
    queue.await(1, "MERGED");
    assertThat(queue.ok("checkRepository", "").toString()).contains("acme/shop/app");
  }

  @Test
  void a_project_with_merge_trains_or_a_wrong_token_is_not_connected() {
    world.gitlab.project.settings.put("merge_trains_enabled", true);
    String how = "'address':'%s','kind':'gitlab','credentials':{'token':'%s'}";
    var trains = queue.call("connectRepository", how.formatted(world.location(), FakeGitLab.TOKEN));
    assertThat(trains.code()).isEqualTo("repository_unreachable");
    assertThat(trains.body()).contains("merge trains");
    var wrong = queue.call("connectRepository", how.formatted(world.location(), "glpat-wrong"));
    assertThat(wrong.code()).isEqualTo("repository_unreachable");
    assertThat(wrong.body()).contains("credentials").doesNotContain("glpat-wrong");
  }
}
