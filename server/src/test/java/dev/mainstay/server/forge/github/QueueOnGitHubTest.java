package dev.mainstay.server.forge.github;

import static dev.mainstay.server.Waiting.until;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.QueueAtHost;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A queue of a repository at GitHub, as its users see it: over HTTP, and by GitHub's hooks. */
class QueueOnGitHubTest {
  private static final int ACTIONS = 15368;
  private static final int STORM = 500;

  @TempDir private Path directory;
  private GitHubWorld world;
  private TestNode node;
  private QueueAtHost queue;
  private CommitSha main;
  private String secret;

  @BeforeEach
  void connect() {
    world = new GitHubWorld(directory, false, GitHubForgeTest::byToken);
    main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n").file("b.txt", "1\n"));
    world.push("main", main);
    world.github.protection.classic.add(new FakeProtection.Required("ci", ACTIONS));
    world.github.protection.ruled.add(new FakeProtection.Required("mainstay", 0));
    node = TestNode.start();
    queue = new QueueAtHost(node);
    secret =
        queue
            .ok(
                "connectRepository",
                "'address':'%s/acme/app','kind':'github','credentials':{'token':'%s'}"
                    .formatted(world.github.address(), FakeGitHub.TOKEN))
            .path("hookSecret")
            .asString();
    queue.ok("createQueue", "'targetBranch':'main'");
  }

  @AfterEach
  void stop() {
    node.close();
    world.close();
  }

  private int hook(String key, String path) throws Exception {
    return hook(key, path, "repository");
  }

  private int hook(String key, String path, String target) throws Exception {
    String body =
        "{\"action\":\"completed\",\"repository\":{\"full_name\":\"%s\"}}".formatted(path);
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key.getBytes(UTF_8), "HmacSHA256"));
    String signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    return node.send(
            node.request("/hooks/github", "")
                .header("content-type", "application/json")
                .header("X-GitHub-Event", "check_run")
                .header("X-GitHub-Hook-Installation-Target-Type", target)
                .header("X-GitHub-Hook-Installation-Target-ID", FakeTokens.APP)
                .header("X-Hub-Signature-256", "sha256=" + signature)
                .POST(BodyPublishers.ofString(body)))
        .status();
  }

  private void look() throws Exception {
    assertThat(hook(secret, "Acme/App")).isEqualTo(200);
  }

  private CommitSha opened(int number) {
    CommitSha head =
        world.commit(Edit.on(main).says("Change " + number).file(number + ".txt", "1"));
    world.open(number, head);
    return head;
  }

  private Optional<String> ourStatus(CommitSha head) {
    return world.github.checks.statuses(head.value()).stream()
        .map(s -> s.json().path("description").asString(""))
        .reduce((first, last) -> last);
  }

  @Test
  void what_passes_its_required_check_lands_as_tested_and_is_shown_as_merged() throws Exception {
    CommitSha one = opened(1);
    CommitSha two = opened(2);
    queue.pr("submitPullRequest", 1);
    queue.pr("submitPullRequest", 2);
    for (int number : new int[] {1, 2}) {
      world.github.checks.report(queue.tested(number), "ci", ACTIONS, Optional.of("success"));
    }
    String last = queue.tested(2);
    look();

    JsonNode landed = queue.await(2, "MERGED").path("landed");
    assertThat(landed.path("how").asString()).isEqualTo("TESTED_COMMIT");
    assertThat(landed.path("sha").asString()).isEqualTo(last);
    assertThat(world.branch("main")).contains(new CommitSha(last));
    assertThat(world.github.pulls.pull(1).merged).isTrue();
    assertThat(world.github.pulls.pull(2).merged).isTrue();
    until(() -> ourStatus(one), text -> text.filter(t -> t.startsWith("Merged as")).isPresent());
    until(() -> ourStatus(two), text -> text.filter(t -> t.startsWith("Merged as")).isPresent());
    until(
        () -> world.branches(),
        branches -> branches.stream().noneMatch(b -> b.startsWith("mainstay/")));
    assertThat(requests() / 2).as("of %s, for each", world.github.faults.counts()).isLessThan(40);
  }

  /** The requests to the API that count: an answer that did not change is free. */
  private int requests() {
    return world.github.faults.counts().entrySet().stream()
        .filter(kind -> !kind.getKey().startsWith("git "))
        .mapToInt(kind -> kind.getKey().equals("unchanged") ? -kind.getValue() : kind.getValue())
        .sum();
  }

  @Test
  void a_missing_approval_keeps_it_out_until_it_is_there() throws Exception {
    world.github.protection.approvals = 1;
    opened(1);
    assertThat(queue.pr("submitPullRequest", 1).path("state").asString()).isEqualTo("NOT_READY");
    until(
        () -> queue.pr("getSubmittedPullRequest", 1).at("/reason/code").asString(),
        "forge_blocks"::equals);
    world.github.pulls.pull(1).reviews.add(new FakePull.Review("ann", "APPROVED"));
    queue.pr("submitPullRequest", 1);
    queue.await(1, "TESTING");
  }

  @Test
  void a_queue_whose_host_merged_something_untested_pauses_and_says_so() throws Exception {
    queue.ok("updateQueue", "'targetBranch':'main','rewriteHeadBranches':false");
    CommitSha head = opened(1);
    CommitSha foreign = world.commit(Edit.on(main).file("b.txt", "2\n"));
    world.github.pulls.beforeMerge = Optional.of(() -> world.push("main", foreign));
    queue.pr("submitPullRequest", 1);
    for (String commit : List.of(head.value(), queue.tested(1))) {
      world.github.checks.report(commit, "ci", ACTIONS, Optional.of("success"));
    }
    look();

    assertThat(queue.await(1, "MERGED").at("/landed/how").asString()).isEqualTo("BY_FORGE");
    JsonNode shown = queue.ok("getQueue", "'targetBranch':'main'");
    assertThat(shown.path("state").asString()).isEqualTo("PAUSED");
    assertThat(shown.path("warnings").toString()).contains("#1 was merged into main by its host");
    assertThat(metrics())
        .contains("mq_alarm{repo=\"acme/app\",branch=\"main\",queue_type=\"main\"} 1");

    JsonNode going = queue.ok("updateQueue", "'targetBranch':'main','state':'RUNNING'");
    assertThat(going.path("warnings").toString()).doesNotContain("by its host");
    assertThat(metrics())
        .contains("mq_alarm{repo=\"acme/app\",branch=\"main\",queue_type=\"main\"} 0")
        .containsPattern("mq_forge_requests_total\\{repo=\"acme/app\"} [1-9]");
  }

  private String metrics() {
    return node.get("/v1/getMergeQueueMetrics", node.token()).body();
  }

  @Test
  void hooks_that_no_secret_has_signed_are_refused_alike() throws Exception {
    assertThat(hook(secret, "acme/app")).isEqualTo(200);
    assertThat(hook("guess", "acme/app")).isEqualTo(401);
    assertThat(hook(secret, "acme/unknown")).isEqualTo(401);
    assertThat(node.post("/hooks/github", "", "{}").status()).isEqualTo(401);

    String next = queue.ok("rotateHookSecret", "").path("hookSecret").asString();
    assertThat(hook(secret, "acme/app")).isEqualTo(401);
    assertThat(hook(next, "acme/app")).isEqualTo(200);
  }

  @Test
  void a_repository_that_was_renamed_goes_on_and_its_connection_says_so() throws Exception {
    CommitSha one = opened(1);
    queue.pr("submitPullRequest", 1);
    String tested = queue.tested(1);
    world.github.name.set("store");
    world.github.checks.report(tested, "ci", ACTIONS, Optional.of("success"));
    look();
    queue.await(1, "MERGED");
    until(() -> ourStatus(one), text -> text.filter(t -> t.startsWith("Merged as")).isPresent());
    opened(2);
    look();
    until(
        () -> queue.ok("getRepositoryConnection", "").path("fault").asString(""),
        fault -> fault.startsWith("GitHub calls the repository acme/store now"));
    assertThat(queue.ok("checkRepository", "").toString()).contains("acme/store");
  }

  @Test
  void a_storm_of_hooks_is_answered_and_costs_few_looks() throws Exception {
    int before = world.github.faults.count("GET pulls");
    try (var threads = Executors.newFixedThreadPool(8)) {
      List<Future<Integer>> answers =
          threads.invokeAll(Collections.nCopies(STORM, () -> hook(secret, "acme/app")));
      for (Future<Integer> answer : answers) {
        assertThat(answer.get()).isEqualTo(200);
      }
    }
    opened(1);
    queue.pr("submitPullRequest", 1);
    queue.await(1, "TESTING");
    assertThat(world.github.faults.count("GET pulls") - before).isLessThan(STORM / 4);
  }

  @Test
  void the_hook_of_an_app_may_tell_of_repositories_that_are_not_connected() throws Exception {
    assertThat(hook(secret, "acme/unknown", "integration")).isEqualTo(401);
    String key = Base64.getEncoder().encodeToString(world.github.tokens.privateKey());
    String pem = "-----BEGIN PRIVATE KEY-----\\n" + key + "\\n-----END PRIVATE KEY-----";
    String ofApp =
        queue
            .ok(
                "connectRepository",
                "'address':'%s/acme/app','kind':'github','credentials':{'app':{'id':'%s','privateKey':'%s'}}"
                    .formatted(world.github.address(), FakeTokens.APP, pem))
            .path("hookSecret")
            .asString();
    assertThat(hook(ofApp, "acme/unknown", "integration")).isEqualTo(200);
    assertThat(hook(ofApp, "", "integration")).isEqualTo(200);
    assertThat(hook(ofApp, "acme/unknown", "repository")).isEqualTo(401);
    assertThat(hook("guess", "acme/unknown", "integration")).isEqualTo(401);
  }

  @Test
  void a_check_says_what_is_missing_and_no_secret_ever_comes_back() {
    JsonNode checked = queue.ok("checkRepository", "");
    assertThat(checked.path("findings").isEmpty()).isFalse();
    assertThat(checked.toString()).contains("ci");
    String shown = queue.ok("getRepositoryConnection", "").toString();
    assertThat(shown).contains("\"kind\":\"github\"").doesNotContain(FakeGitHub.TOKEN, secret);

    world.github.tokens.revokeAll();
    JsonNode revoked = queue.ok("checkRepository", "");
    assertThat(revoked.path("ok").asBoolean()).isFalse();
    assertThat(revoked.toString()).contains("credentials");
  }

  @Test
  void a_wrong_token_is_told_when_connecting() {
    var answer =
        queue.call(
            "connectRepository",
            "'address':'%s/acme/app','kind':'github','credentials':{'token':'ghp_wrong'}"
                .formatted(world.github.address()));
    assertThat(answer.code()).isEqualTo("repository_unreachable");
    assertThat(answer.body()).contains("credentials").doesNotContain("ghp_wrong");
  }
}
