package dev.mainstay.server.forge.github;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.QueueAtHost;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Workflows of forks, which have no key, tell what their pull requests touch. */
class ForkTargetsTest {
  private static final String OTHER = "0123456789012345678901234567890123456789";

  @TempDir private Path directory;
  private final MovableClock clock = new MovableClock();
  private GitHubWorld world;
  private TestNode node;
  private QueueAtHost queue;
  private CommitSha head;

  @BeforeEach
  void connect() {
    world = new GitHubWorld(directory, true, GitHubForgeTest::byToken);
    CommitSha main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n"));
    world.push("main", main);
    node = TestNode.start(TestDatabase.withTables(), clock, Map.of());
    queue = new QueueAtHost(node);
    queue.ok(
        "connectRepository",
        "'address':'%s/acme/app','kind':'github','credentials':{'token':'%s'}"
            .formatted(world.github.address(), FakeGitHub.TOKEN));
    queue.ok("createQueue", "'targetBranch':'main','mode':'parallel','requiredStatuses':['ci']");
    head = world.commit(Edit.on(main).says("Change").file("7.txt", "1"));
    world.open(7, head);
    queue.pr("submitPullRequest", 7);
  }

  @AfterEach
  void stop() {
    node.close();
    world.close();
  }

  private long run(Consumer<ObjectNode> edit) {
    ObjectNode run =
        world.github.actions.start(head.value(), "targets").put("event", "pull_request");
    run.set("head_repository", FakeShapes.minimalRepository("somebody", "app", true));
    edit.accept(run);
    return run.get("id").asLong();
  }

  private TestNode.Answer tell(
      String path, String run, Optional<String> key, String sha, String targets) {
    String body =
        "{'repo':{'host':'host.example','owner':'ACME','name':'app'},'targetBranch':'main','pr':{'number':'7','sha':'%s'},'impactedTargets':%s}"
            .formatted(sha, targets)
            .replace('\'', '"');
    var request =
        node.request(path, key.orElse(""))
            .header("x-forked-workflow-run-id", run)
            .POST(BodyPublishers.ofString(body));
    return node.send(
        path.startsWith("/v1") ? request.header("content-type", "application/json") : request);
  }

  private TestNode.Answer tell(long run, String sha, String targets) {
    return tell("/trunk/v1/setImpactedTargets", Long.toString(run), Optional.empty(), sha, targets);
  }

  private void assertUnproven(long run, String sha) {
    var answer = tell(run, sha, "['//a']");
    assertThat(answer.status()).as(answer.body()).isEqualTo(401);
    assertThat(answer.body()).startsWith("Without a key, x-forked-workflow-run-id must name a run");
  }

  private boolean hasTargets() {
    return queue.pr("getSubmittedPullRequest", 7).at("/readiness/hasImpactedTargets").asBoolean();
  }

  @Test
  void a_run_in_progress_on_that_very_head_counts_for_its_call_and_only_adds() {
    long good = run(r -> {});
    assertUnproven(good + 1000, head.value());
    assertUnproven(good, OTHER);
    assertUnproven(run(r -> r.put("event", "push")), head.value());
    assertUnproven(run(r -> r.put("status", "completed")), head.value());
    assertUnproven(
        run(r -> r.set("head_repository", FakeShapes.minimalRepository("acme", "app", false))),
        head.value());
    assertThat(hasTargets()).isFalse();

    assertThat(tell(good, head.value(), "['//b']").status()).isEqualTo(200);
    assertThat(hasTargets()).isTrue();
    assertThat(tell(good, head.value(), "['//a']").status()).isEqualTo(200);
    assertThat(tell(good, head.value(), "[]").status()).isEqualTo(200);
    assertThat(queue.pr("getPullRequestHistory", 7).at("/pullRequest/impactedTargets").toString())
        .isEqualTo("[\"//a\",\"//b\"]");
  }

  @Test
  void strangers_learn_nothing_and_have_few_tries() {
    String good = Long.toString(run(r -> {}));
    String trunk = "/trunk/v1/setImpactedTargets";
    assertThat(tell("/v1/setImpactedTargets", good, Optional.empty(), head.value(), "[]").status())
        .as("only where workflows send to")
        .isEqualTo(401);
    assertThat(tell(trunk, good, Optional.of("mst_wrong"), head.value(), "[]").body())
        .as("a key is a key")
        .contains("valid API key");
    assertThat(tell(trunk, "1 OR 1", Optional.empty(), head.value(), "[]").status()).isEqualTo(401);
    assertThat(tell(trunk, good, Optional.empty(), "", "[]").status()).isEqualTo(400);
    assertThat(hasTargets()).isFalse();

    for (int i = 0; i < 30; i++) {
      assertUnproven(77, head.value());
    }
    var last = tell(Long.parseLong(good), head.value(), "[]");
    assertThat(last.status()).isEqualTo(429);
    assertThat(last.header("retry-after")).isEqualTo("60");
    clock.advance(Duration.ofMinutes(1));
    assertThat(tell(Long.parseLong(good), head.value(), "[]").status()).isEqualTo(200);
    assertThat(hasTargets()).isTrue();
  }
}
