package dev.mainstay.server.forge.gitea;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Edit;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.QueueAtHost;
import dev.mainstay.server.platform.Database;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** People at a real Gitea command a queue, and read how their pull requests stand. */
class GiteaTalkTest extends GiteaScene {
  private static final String WRITER = "wendy";
  private static final String READER = "rick";

  private TestNode node;
  private Database database;
  private QueueAtHost queue;

  @BeforeEach
  void queue() {
    Database.Address address = TestDatabase.withTables();
    node = TestNode.start(address, new MovableClock());
    database = Database.connect(address, 1);
    queue = new QueueAtHost(node);
    gitea.as(WRITER);
    gitea.as(READER);
    may(WRITER, "write");
    may(READER, "read");
  }

  @AfterEach
  void stop() {
    node.close();
    database.close();
  }

  private void may(String login, String permission) {
    gitea
        .owner()
        .call("PUT", gitea.path() + "/collaborators/" + login, Map.of("permission", permission));
  }

  private void connected(String settings) {
    JsonNode made =
        queue.ok(
            "connectRepository",
            "'address':'%s','credentials':{'token':'%s'}"
                .formatted(gitea.location(), gitea.owner().token()));
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
                List.of("push", "pull_request", "pull_request_comment", "pull_request_label"),
                "config",
                Map.of(
                    "url", "http://127.0.0.1:%d/hooks/gitea".formatted(node.port()),
                    "content_type", "json",
                    "secret", made.path("hookSecret").asString())));
    queue.ok("createQueue", "'targetBranch':'main','requiredStatuses':['ci']" + settings);
    until(
        () ->
            database.query(
                h ->
                    h.select("SELECT count(*) FROM conversation WHERE comments IS NOT NULL")
                        .mapTo(Long.class)
                        .one()),
        listening -> listening == 1);
  }

  private long say(String who, int pr, String text) {
    return gitea
        .as(who)
        .post(gitea.path() + "/issues/" + pr + "/comments", Map.of("body", text))
        .path("id")
        .asLong();
  }

  private String reactions(long comment) {
    return gitea
        .owner()
        .get(gitea.path() + "/issues/comments/" + comment + "/reactions")
        .findValuesAsString("content")
        .toString();
  }

  private List<String> ours(int pr) {
    return gitea
        .owner()
        .get(gitea.path() + "/issues/" + pr + "/comments")
        .findValuesAsString("body")
        .stream()
        .filter(body -> body.startsWith("<!-- mainstay -->"))
        .toList();
  }

  private boolean isSubmitted(int pr) {
    return queue
            .call(
                "getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':%d}".formatted(pr))
            .status()
        == 200;
  }

  @Test
  void commands_are_done_for_those_who_may_and_one_comment_follows() {
    connected("");
    open(1, Edit.on(main).says("One").file("1.txt", "1"));
    long reader = say(READER, 1, "/mainstay merge");
    until(() -> reactions(reader), r -> r.equals("[-1]"));
    until(() -> ours(1).toString(), t -> t.contains("@rick: only people with write permission"));
    long author = say(GiteaWorld.ADA, 1, "/mainstay merge");
    until(() -> reactions(author), r -> r.equals("[-1]"));
    assertThat(isSubmitted(1)).isFalse();

    long edited = say(WRITER, 1, "Nice.");
    gitea
        .as(WRITER)
        .patch(gitea.path() + "/issues/comments/" + edited, Map.of("body", "Nice.\n\nReally."));
    long merge = say(WRITER, 1, "Well done.\r\n/Mainstay merge --priority high\r\n");
    until(() -> reactions(merge), r -> r.equals("[+1]"));
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("priorityName").asString())
        .isEqualTo("high");
    gitea
        .as(WRITER)
        .patch(gitea.path() + "/issues/comments/" + edited, Map.of("body", "/mainstay cancel"));
    gitea.as(WRITER).delete(gitea.path() + "/issues/comments/" + merge);
    until(() -> ours(1).toString(), t -> t.contains("Testing, 1st in line"));

    may(WRITER, "read");
    long late = say(WRITER, 1, "/mainstay cancel");
    until(() -> reactions(late), r -> r.equals("[-1]"));
    status(new CommitSha(queue.tested(1)), "ci", "failure");
    queue.await(1, "FAILED");
    until(() -> ours(1).toString(), t -> t.contains("Not merged: The status ci failed."));
    assertThat(ours(1)).hasSize(1);
  }

  @Test
  void comments_are_told_once_in_their_order_whatever_is_edited() {
    open(1, Edit.on(main).says("One").file("1.txt", "1"));
    String none = api.comments(Optional.empty()).mark();
    assertThat(api.comments(Optional.of(none)).all()).isEmpty();
    long before = say(WRITER, 1, "/mainstay merge");
    Host.Comments first = api.comments(Optional.of(none));
    assertThat(first.all()).extracting(Host.Comment::id).containsExactly("" + before);
    assertThat(first.all().getFirst().author()).isEqualTo(WRITER);
    assertThat(first.all().getFirst().pr()).isEqualTo(new PullRequestRef(1));

    String mark = api.comments(Optional.empty()).mark();
    assertThat(api.comments(Optional.of(mark)).all()).isEmpty();
    gitea
        .as(WRITER)
        .patch(gitea.path() + "/issues/comments/" + before, Map.of("body", "/mainstay cancel"));
    gitea.as(GiteaWorld.ADA).post(gitea.path() + "/issues", Map.of("title", "An issue"));
    say(WRITER, 2, "/mainstay merge");
    for (int i = 0; i < 15; i++) {
      say(WRITER, 1, "/mainstay help " + i);
    }
    long longest = say(WRITER, 1, "x".repeat(60_000) + "\n/mainstay merge");
    Host.Comments next = api.comments(Optional.of(mark));
    assertThat(next.all()).hasSize(16);
    assertThat(next.all()).extracting(Host.Comment::id).doesNotContain("" + before);
    assertThat(next.all().getFirst().lines()).containsExactly("/mainstay help 0");
    assertThat(next.all().getLast().id()).isEqualTo("" + longest);
    assertThat(next.all().getLast().lines()).containsExactly("/mainstay merge");
    assertThat(api.comments(Optional.of(next.mark())).all()).isEmpty();

    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.DONE);
    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.DONE);
    assertThat(reactions(longest)).isEqualTo("[+1]");
    gitea.as(WRITER).delete(gitea.path() + "/issues/comments/" + longest);
    api.react(new PullRequestRef(1), "" + longest, Host.Reaction.REFUSED);
  }

  private void label(String who, int pr, String name) {
    long id = 0;
    for (JsonNode label : gitea.owner().get(gitea.path() + "/labels?limit=50")) {
      id = label.path("name").asString().equals(name) ? label.path("id").asLong() : id;
    }
    if (id == 0) {
      id =
          gitea
              .owner()
              .post(gitea.path() + "/labels", Map.of("name", name, "color", "#00aabb"))
              .path("id")
              .asLong();
    }
    gitea.as(who).post(gitea.path() + "/issues/" + pr + "/labels", Map.of("labels", List.of(id)));
  }

  private void unlabel(String who, int pr, String name) {
    for (JsonNode label : gitea.owner().get(gitea.path() + "/issues/" + pr + "/labels")) {
      if (label.path("name").asString().equals(name)) {
        gitea
            .as(who)
            .delete(gitea.path() + "/issues/" + pr + "/labels/" + label.path("id").asLong());
      }
    }
  }

  private Set<String> labels(int pr) {
    return new TreeSet<>(
        gitea.owner().get(gitea.path() + "/issues/" + pr + "/labels").findValuesAsString("name"));
  }

  private void awaits(String state) {
    until(
        () -> queue.call("getSubmittedPullRequest", "'targetBranch':'main','pr':{'number':1}"),
        answer -> answer.status() == 200 && answer.json().path("state").asString().equals(state));
  }

  @Test
  void labels_and_a_scheduled_merge_submit_and_cancel() {
    protect(
        Map.of(
            "rule_name",
            "main",
            "enable_push",
            true,
            "enable_status_check",
            true,
            "status_check_contexts",
            List.of("never")));
    open(1, Edit.on(main).says("One").file("1.txt", "1"));
    label(WRITER, 1, "bug");
    connected(",'enqueueingLabel':'ready','labelCommandsEnabled':true,'stateLabelsEnabled':true");
    long help = say(WRITER, 1, "/mainstay help");
    until(() -> reactions(help), r -> r.equals("[+1]"));

    label(WRITER, 1, "ready");
    awaits("TESTING");
    until(() -> labels(1), all -> all.equals(Set.of("bug", "ready", "mainstay: testing")));
    unlabel(WRITER, 1, "ready");
    awaits("CANCELLED");
    until(() -> labels(1), all -> all.equals(Set.of("bug")));
    label(WRITER, 1, "mainstay/merge");
    awaits("TESTING");
    until(() -> labels(1), all -> all.equals(Set.of("bug", "mainstay: testing")));
    label(WRITER, 1, "mainstay/cancel");
    awaits("CANCELLED");
    until(() -> labels(1), all -> all.equals(Set.of("bug")));

    gitea
        .as(WRITER)
        .post(gitea.path(1) + "/merge", Map.of("Do", "squash", "merge_when_checks_succeed", true));
    // Gitea calls no hook for that: whatever comes next tells.
    say(WRITER, 1, "Now.");
    awaits("TESTING");
    gitea.as(WRITER).delete(gitea.path(1) + "/merge");
    say(WRITER, 1, "Not now.");
    awaits("CANCELLED");
  }
}
