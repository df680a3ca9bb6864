package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Our one comment on a pull request, which stays true. */
class CommentTest extends TalkScene {
  @Test
  void the_comment_says_why_it_left_with_what_failed() {
    listening();
    say(1, "ann", "/mainstay merge");
    say(2, "ann", "/mainstay merge");
    node.runUntil(() -> scene.repository.testBranches().size() == 2);
    node.runUntil(() -> host.ours(2).contains("2nd in line, behind #1"));
    scene.runs().stream()
        .filter(run -> run.testBranchSha().isPresent())
        .forEach(
            run ->
                node.queues
                    .testRuns()
                    .reportTestStatus(
                        scene.main,
                        run.id(),
                        "ci",
                        CheckState.FAILURE,
                        Optional.of("https://ci.example/(1)")));
    node.runUntil(() -> host.ours(1).contains("Not merged"));
    assertThat(host.ours(1)).contains("Failed: [`ci`](https://ci.example/%281%29)");
    node.runUntil(
        () -> {
          scene.report(CheckState.SUCCESS);
          return scene.state(2) == PullRequestState.MERGED;
        });
    node.runUntil(() -> host.ours(2).contains("**Merged as "));
    assertThat(scene.count("SELECT count(*) FROM pull_request_comment")).isZero();
  }

  @Test
  void many_changes_are_few_edits_and_a_place_alone_waits() {
    listening();
    say(1, "ann", "/mainstay merge");
    say(2, "ann", "/mainstay merge");
    node.runUntil(() -> scene.repository.testBranches().size() == 2);
    node.runUntil(() -> host.ours(2).contains("behind #1"));
    int before = host.writes;
    for (int i = 0; i < 10; i++) {
      set(s -> s.edit().concurrency(s.concurrency() + 1).build());
    }
    node.round();
    node.round();
    assertThat(host.writes).isEqualTo(before);
  }

  @Test
  void what_could_not_be_said_is_said_later_or_not_at_all() {
    listening();
    host.onComment = Optional.of(ForgeUnavailable.ofHost("The host is down."));
    say(1, "ann", "/mainstay merge");
    node.runUntil(() -> scene.state(1) == PullRequestState.TESTING);
    node.queues.pullRequests().cancel(scene.main, new PullRequestRef(1));
    host.onComment = Optional.empty();
    node.runUntil(() -> !host.ours.isEmpty());
    assertThat(host.ours(1)).contains("Left: It was cancelled.");
    assertThat(host.writes).isEqualTo(1);
  }

  @Test
  void who_came_and_went_between_two_looks_is_told_its_end() {
    listening(required("ci").edit().stateLabelsEnabled(true).build());
    scene.submit(1);
    node.queues.pullRequests().cancel(scene.main, new PullRequestRef(1));
    host.put(1, "mainstay: testing", "ann");
    node.runUntil(() -> !host.ours.isEmpty());
    assertThat(host.ours(1)).contains("Left: It was cancelled.");
    node.runUntil(() -> Set.of().equals(host.labels.get(1)));
    node.round();
    assertThat(host.writes).isEqualTo(1);
    assertThat(scene.count("SELECT count(*) FROM pull_request_comment")).isZero();
    assertThat(scene.count("SELECT count(*) FROM state_label")).isZero();
  }

  @Test
  void the_end_is_told_once_the_host_allows_requests_again() {
    listening();
    host.onComment = Optional.of(ForgeUnavailable.limited("No more.", Duration.ofSeconds(60)));
    say(1, "ann", "/mainstay merge");
    node.runUntil(() -> scene.state(1) == PullRequestState.TESTING);
    node.queues.pullRequests().cancel(scene.main, new PullRequestRef(1));
    node.runUntil(() -> scene.state(1) == PullRequestState.CANCELLED);
    scene.clock.advance(Duration.ofMinutes(2));
    node.round();
    node.round();
    assertThat(host.ours).isEmpty();
    host.onComment = Optional.empty();
    node.runUntil(() -> !host.ours.isEmpty());
    assertThat(host.ours(1)).contains("Left: It was cancelled.");
  }

  @Test
  void who_may_not_comment_still_listens_and_lands() {
    listening();
    host.onComment = Optional.of(new CredentialsRefused("You may not comment."));
    int id = say(1, "ann", "/mainstay merge");
    assertThat(answers()).containsExactly(id + " DONE");
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
  }

  @Test
  void a_queue_that_wants_no_comments_writes_none_and_still_answers() {
    listening(required("ci").edit().commentsEnabled(false).build());
    int wrong = say(1, "ann", "/mainstay mrege");
    int good = say(1, "ann", "/mainstay merge");
    assertThat(answers()).containsExactly(wrong + " REFUSED", good + " DONE");
    node.runUntil(() -> scene.state(1) == PullRequestState.TESTING);
    assertThat(host.ours).isEmpty();
    assertThat(scene.count("SELECT count(*) FROM pull_request_comment")).isZero();
  }

  @Test
  void after_some_runs_it_says_when_it_may_merge() {
    listening();
    for (int number = 3; number <= 8; number++) {
      scene.repository.open(number, "change " + number);
      int now = number;
      node.round();
      scene.submit(number);
      node.runUntil(() -> !scene.runs().isEmpty() && host.ours(now).contains("Testing"));
      assertThat(host.ours(number).contains("Expected to merge by 12:"))
          .as("#%d", number)
          .isEqualTo(number == 8);
      scene.clock.advance(Duration.ofMinutes(2));
      node.runUntil(
          () -> {
            scene.report(CheckState.SUCCESS);
            return scene.state(now) == PullRequestState.MERGED;
          });
    }
  }
}
