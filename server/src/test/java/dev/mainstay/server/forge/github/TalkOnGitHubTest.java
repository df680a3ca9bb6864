package dev.mainstay.server.forge.github;

import static dev.mainstay.server.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.TalkContractTest;
import dev.mainstay.server.forge.TalkWorld;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** People at the fake GitHub command a queue, and read how their pull requests stand. */
class TalkOnGitHubTest extends TalkContractTest {
  @Override
  protected TalkWorld world(Path directory) {
    return new GitHubTalkers(new GitHubWorld(directory, true, GitHubForgeTest::byToken));
  }

  private GitHubTalkers people() {
    return (GitHubTalkers) world;
  }

  private FakeGitHub github() {
    return people().forge().github;
  }

  @Test
  void a_number_that_is_an_issue_is_no_pull_request() {
    connect("");
    open(1);
    long issue = world.say(WRITER, 77, "/mainstay merge");
    refused(say(WRITER, 1, "/mainstay cancel"));
    assertThat(world.answers(issue)).isEmpty();
    assertThat(isSubmitted(77)).isFalse();
  }

  @Test
  void the_check_has_a_page_and_buttons_that_work() {
    people().byApp();
    connect("");
    CommitSha head = open(1);
    done(say(WRITER, 1, "/mainstay merge"));
    JsonNode shown =
        until(
                () -> check(head),
                run -> run.filter(r -> r.toString().contains("Testing, 1st in line")).isPresent())
            .orElseThrow();
    assertThat(shown.path("details_url").asString()).endsWith("/queues/main/pulls/1");
    int id = shown.path("id").asInt();
    JsonNode buttons = Objects.requireNonNull(github().checks.buttons.get(id));
    assertThat(buttons.findValuesAsString("identifier")).containsExactly("cancel-1", "retry-1");
    press(READER, "p-1", "cancel-1");
    says(1, "@rick: only people");
    awaits("TESTING");
    press(WRITER, "p-2", "cancel-1");
    queue.await(1, "CANCELLED");
    press(WRITER, "p-3", "retry-1");
    queue.await(1, "TESTING");
    press(WRITER, "p-2", "cancel-1");
    press(WRITER, "p-4", "nonsense");
    people().press("some[bot]", "Bot", "p-5", "cancel-1");
    done(say(WRITER, 1, "/mainstay help"));
    assertThat(queue.pr("getSubmittedPullRequest", 1).path("state").asString())
        .as("a press that came twice counts once")
        .isEqualTo("TESTING");
    press(WRITER, "p-6", "cancel-1");
    queue.await(1, "CANCELLED");
  }

  private void press(String who, String delivery, String button) {
    people().press(who, "User", delivery, button);
  }

  private Optional<JsonNode> check(CommitSha head) {
    synchronized (github()) {
      return github().checks.runs(head.value()).stream()
          .filter(run -> run.name().equals("mainstay"))
          .<JsonNode>map(FakeChecks.Run::json)
          .findFirst();
    }
  }
}
