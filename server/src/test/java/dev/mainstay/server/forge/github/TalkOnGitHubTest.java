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
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** People at GitHub command a queue, and read how their pull requests stand. */
class TalkOnGitHubTest {
  private static final int ACTIONS = 15368;

  @TempDir private Path directory;
  private GitHubWorld world;
  private TestNode node;
  private QueueAtHost queue;
  private CommitSha main;
  private String secret = "";

  @BeforeEach
  void connect() {
    world = new GitHubWorld(directory, false, GitHubForgeTest::byToken);
    main = world.commit(Edit.on().says("Begin").file("a.txt", "1\n"));
    world.push("main", main);
    world.github.protection.classic.add(new FakeProtection.Required("ci", ACTIONS));
    world.github.talk.permission("ann", "write");
    world.github.talk.permission("reader", "read");
    node = TestNode.start();
    queue = new QueueAtHost(node);
  }

  @AfterEach
  void stop() {
    node.close();
    world.close();
  }

  private void connected(String credentials, String settings) {
    secret =
        queue
            .ok(
                "connectRepository",
                "'address':'%s/acme/app','kind':'github','credentials':{%s}"
                    .formatted(world.github.address(), credentials))
            .path("hookSecret")
            .asString();
    queue.ok("createQueue", "'targetBranch':'main'" + settings);
    until(() -> world.github.faults.count("GET issues/comments"), count -> count > 0);
  }

  private void connectedByToken() {
    connected("'token':'%s'".formatted(FakeGitHub.TOKEN), "");
  }

  private void connectedByApp(String settings) {
    String key = Base64.getEncoder().encodeToString(world.github.tokens.privateKey());
    String pem = "-----BEGIN PRIVATE KEY-----\\n" + key + "\\n-----END PRIVATE KEY-----";
    connected("'app':{'id':'%s','privateKey':'%s'}".formatted(FakeTokens.APP, pem), settings);
  }

  private void hook(String event, String delivery, String more) throws Exception {
    if (secret.isEmpty()) {
      return;
    }
    String body = "{%s\"repository\":{\"full_name\":\"acme/app\"}}".formatted(more);
    var mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
    String signature = HexFormat.of().formatHex(mac.doFinal(body.getBytes(UTF_8)));
    int status =
        node.send(
                node.request("/hooks/github", "")
                    .header("content-type", "application/json")
                    .header("X-GitHub-Event", event)
                    .header("X-GitHub-Delivery", delivery)
                    .header("X-Hub-Signature-256", "sha256=" + signature)
                    .POST(BodyPublishers.ofString(body)))
            .status();
    assertThat(status).isEqualTo(200);
  }

  private CommitSha opened(int number) {
    CommitSha head =
        world.commit(Edit.on(main).says("Change " + number).file(number + ".txt", "1"));
    world.open(number, head);
    return head;
  }

  private int say(int pr, String who, String text) throws Exception {
    int id;
    synchronized (world.github) {
      id = world.github.talk.say(pr, who, text);
    }
    hook("issue_comment", "d-" + id, "");
    return id;
  }

  private List<String> reactions(int id) {
    synchronized (world.github) {
      return world.github.talk.reactions(id);
    }
  }

  private List<String> ours(int pr) {
    synchronized (world.github) {
      return world.github.talk.comments(pr).stream()
          .filter(c -> c.text().startsWith("<!-- mainstay -->"))
          .map(FakeTalk.Comment::text)
          .toList();
    }
  }

  @Test
  void a_command_is_done_once_and_one_comment_follows_the_pull_request() throws Exception {
    connectedByToken();
    opened(1);
    int merge = say(1, "ann", "/mainstay merge --priority high");
    hook("issue_comment", "d-" + merge, "");
    until(() -> reactions(merge), all -> all.equals(List.of("+1")));
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("priorityName").asString())
        .isEqualTo("high");
    world.github.checks.report(queue.tested(1), "ci", ACTIONS, Optional.of("success"));
    hook("check_run", "c-1", "");
    queue.await(1, "MERGED");
    until(() -> ours(1), all -> all.toString().contains("Merged as"));
    assertThat(ours(1)).hasSize(1);
    assertThat(reactions(merge)).containsExactly("+1");
  }

  @Test
  void readers_bots_and_forks_do_not_command_it() throws Exception {
    connectedByToken();
    opened(1);
    int reader = say(1, "reader", "/mainstay merge");
    int stranger = say(1, "of-a-fork", "/mainstay merge");
    say(1, "dependabot[bot]", "/mainstay merge");
    int issue = say(77, "ann", "/mainstay merge");
    int last = say(1, "ann", "/mainstay mrege");
    until(() -> reactions(last), all -> all.equals(List.of("-1")));
    assertThat(reactions(reader)).containsExactly("-1");
    assertThat(reactions(stranger)).containsExactly("-1");
    assertThat(reactions(issue)).as("no pull request").isEmpty();
    until(() -> ours(1).toString(), text -> text.contains("`/mainstay mrege` is no command"));
    assertThat(ours(1)).hasSize(1);
    assertThat(
            queue
                .call("getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':1}")
                .status())
        .isEqualTo(404);
  }

  @Test
  void the_check_has_a_page_and_buttons_that_work() throws Exception {
    connectedByApp("");
    CommitSha head = opened(1);
    say(1, "ann", "/mainstay merge");
    JsonNode shown =
        until(
                () -> check(head),
                run -> run.filter(r -> r.toString().contains("Testing, 1st in line")).isPresent())
            .orElseThrow();
    assertThat(shown.path("details_url").asString()).endsWith("/queues/main/pulls/1");
    int id = shown.path("id").asInt();
    JsonNode buttons = Objects.requireNonNull(world.github.checks.buttons.get(id));
    assertThat(buttons.findValuesAsString("identifier")).containsExactly("cancel-1", "retry-1");
    press("reader", "p-1", "cancel-1");
    until(() -> ours(1).toString(), text -> text.contains("@reader: only people"));
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("state").asString())
        .isEqualTo("TESTING");
    press("ann", "p-2", "cancel-1");
    queue.await(1, "CANCELLED");
    press("ann", "p-3", "retry-1");
    queue.await(1, "TESTING");
    press("ann", "p-2", "cancel-1");
    press("ann", "p-4", "nonsense");
    say(1, "ann", "/mainstay help");
    until(() -> ours(1).toString(), text -> text.contains("`/mainstay merge` submits it"));
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("state").asString())
        .as("a press that came twice counts once")
        .isEqualTo("TESTING");
  }

  private void sign(int pr, Consumer<FakePull> deed) throws Exception {
    synchronized (world.github) {
      deed.accept(world.github.pulls.pull(pr));
    }
    hook("pull_request", "s", "");
  }

  private Set<String> labels(int pr) {
    synchronized (world.github) {
      return Set.copyOf(world.github.pulls.pull(pr).labels);
    }
  }

  @Test
  void labels_and_the_auto_merge_button_submit_and_cancel() throws Exception {
    opened(1);
    opened(2);
    sign(2, pull -> pull.label("ready", "ann"));
    connected(
        "'token':'%s'".formatted(FakeGitHub.TOKEN),
        ",'enqueueingLabel':'ready','labelCommandsEnabled':true,'stateLabelsEnabled':true");
    until(() -> world.github.faults.count("GET pulls"), count -> count > 1);
    say(1, "ann", "/mainstay help");
    until(() -> ours(1).toString(), text -> text.contains("`/mainstay merge` submits it"));

    sign(1, pull -> pull.label("ready", "ann"));
    awaits("TESTING");
    until(() -> labels(1), all -> all.equals(Set.of("ready", "mainstay: testing")));
    sign(1, pull -> pull.unlabel("ready", "ann"));
    awaits("CANCELLED");
    until(() -> labels(1), Set::isEmpty);

    sign(1, pull -> pull.label("mainstay/merge", "ann"));
    awaits("TESTING");
    until(() -> labels(1), all -> all.equals(Set.of("mainstay: testing")));
    sign(1, pull -> pull.label("mainstay/cancel", "reader"));
    until(() -> ours(1).toString(), text -> text.contains("@reader: only people"));
    until(() -> labels(1), all -> all.equals(Set.of("mainstay: testing")));
    sign(1, pull -> pull.label("mainstay/cancel", "ann"));
    awaits("CANCELLED");

    sign(1, pull -> pull.autoMerge(Optional.of("ann"), "ann"));
    awaits("TESTING");
    sign(1, pull -> pull.autoMerge(Optional.empty(), "ann"));
    awaits("CANCELLED");
    assertThat(
            queue
                .call("getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':2}")
                .status())
        .as("its label was there before anybody looked")
        .isEqualTo(404);
  }

  /** The first that is heard of pull request 1 may be a while coming. */
  private void awaits(String state) {
    until(
        () -> queue.call("getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':1}"),
        answer -> answer.status() == 200 && answer.json().path("state").asString().equals(state));
  }

  private void press(String who, String delivery, String button) throws Exception {
    hook(
        "check_run",
        delivery,
        """
        "action":"requested_action","requested_action":{"identifier":"%s"},\
        "sender":{"login":"%s","type":"User"},"""
            .formatted(button, who));
  }

  private Optional<JsonNode> check(CommitSha head) {
    synchronized (world.github) {
      return world.github.checks.runs(head.value()).stream()
          .filter(run -> run.name().equals("mainstay"))
          .<JsonNode>map(FakeChecks.Run::json)
          .findFirst();
    }
  }
}
