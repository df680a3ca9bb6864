package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.queue.store.ConversationStore;
import dev.mainstay.server.queue.store.QueueName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Commands in comments: done once, for those who may, and answered. */
class CommandsTest extends TalkScene {
  @Test
  void a_comment_submits_restarts_and_cancels_and_is_answered() {
    listening();
    int merge = say(1, "ann", "Looks good.\n/mainstay merge --priority high --no-batch\nThanks!");
    assertThat(answers()).containsExactly(merge + " DONE");
    assertThat(scene.view(1).priority().value()).isEqualTo(10);
    assertThat(scene.view(1).noBatch()).isTrue();
    node.runUntil(() -> scene.state(1) == PullRequestState.TESTING);
    node.runUntil(() -> host.ours(1).contains("Testing, 1st in line"));
    assertThat(host.ours(1))
        .contains("for `main`")
        .contains("https://mainstay.example/acme/git.example.org/team/app/queues/main/pulls/1")
        .contains("`/mainstay cancel`");

    String first = scene.view(1).testRunId().orElseThrow();
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    int restart = say(1, "ann", "/MAINSTAY Restart");
    assertThat(answers()).endsWith(restart + " DONE");
    assertThat(scene.view(1).testRunId()).isNotEqualTo(Optional.of(first));

    int cancel = say(1, "ann", "/mainstay cancel");
    assertThat(answers()).endsWith(cancel + " DONE");
    assertThat(scene.state(1)).isEqualTo(PullRequestState.CANCELLED);
    node.runUntil(() -> host.ours(1).contains("**Left: It was cancelled.**"));
    assertThat(scene.count("SELECT count(*) FROM pull_request_comment")).isZero();
    scene.checkReplay();
  }

  @Test
  void who_may_not_write_is_told_so_and_nothing_happens() {
    listening();
    int reader = say(1, "reader", "/mainstay merge");
    int stranger = say(1, "stranger", "/mainstay nonsense");
    say(1, "ci[bot]", "/mainstay merge");
    assertThat(answers()).containsExactly(reader + " REFUSED", stranger + " REFUSED");
    assertThat(isIn(1)).isFalse();
    assertThat(host.ours(1)).contains("@stranger: only people with write permission");
    assertThat(host.writes).isEqualTo(2);
  }

  @Test
  void a_right_that_was_lost_meanwhile_is_lost() {
    listening();
    host.say(1, "ann", "/mainstay merge");
    host.permissions.put("ann", Permission.READ);
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(answers()).singleElement().asString().endsWith("REFUSED");
  }

  @Test
  void what_is_wrong_gets_one_line_that_says_what_is_right() {
    listening();
    record Case(String said, String answer) {}
    for (Case one :
        List.of(
            new Case("/mainstay mrege", "`/mainstay mrege` is no command"),
            new Case("/mainstay merge --soon", "`--soon` is no option of `merge`"),
            new Case("/mainstay merge --priority", "Nothing is no priority"),
            new Case("/mainstay merge --priority=256", "`256` is no priority"),
            new Case("/mainstay cancel now", "`cancel` takes nothing after it"),
            new Case("/mainstay cancel", "It is not in the queue: `/mainstay merge` submits it."),
            new Case("/mainstay restart", "It is not in the queue"),
            new Case("/mainstay merge\n".repeat(20), "A comment has at most 5 commands"),
            new Case("/mainstay merge\n/mainstay `@all`", "`/mainstay '@all'` is no command"))) {
      int id = say(1, "ann", one.said());
      assertThat(answers()).as(one.said()).endsWith(id + " REFUSED");
      assertThat(host.ours(1)).as(one.said()).contains("> " + one.answer());
      assertThat(isIn(1)).as(one.said()).isFalse();
    }
    int help = say(1, "ann", "/mainstay help");
    assertThat(answers()).endsWith(help + " DONE");
    assertThat(host.ours(1)).contains("> `/mainstay merge` submits it");
    assertThat(host.ours).hasSize(1);
    assertThat(host.ours(1).lines()).noneMatch(line -> line.startsWith("/"));
  }

  @Test
  void what_is_no_command_is_none() {
    listening();
    say(1, "ann", "> /mainstay merge\n\n```\n/mainstay merge\n```\n /mainstay merge");
    say(1, "ann", "/mainstays merge\n/trunk merge\nmainstay merge");
    say(1, "ann", "a line\n".repeat(8_000));
    assertThat(answers()).isEmpty();
    assertThat(host.ours).isEmpty();
    assertThat(isIn(1)).isFalse();
    int long60 = say(1, "ann", "x".repeat(59_000) + "\n/mainstay merge");
    assertThat(answers()).containsExactly(long60 + " DONE");
  }

  @Test
  void edits_and_deleted_comments_do_nothing() {
    listening();
    int before = say(1, "ann", "Looks good.");
    host.edit(before, "/mainstay merge");
    hook();
    int gone = host.say(1, "ann", "/mainstay merge");
    host.delete(gone);
    hook();
    assertThat(answers()).isEmpty();
    assertThat(isIn(1)).isFalse();

    int twice = say(1, "ann", "/mainstay merge");
    host.edit(twice, "/mainstay cancel");
    hook();
    hook();
    assertThat(answers()).containsExactly(twice + " DONE");
    assertThat(isIn(1)).isTrue();
  }

  @Test
  void comments_from_before_or_while_commands_were_off_never_act() {
    host.say(1, "ann", "/mainstay merge");
    listening();
    hook();
    assertThat(isIn(1)).isFalse();

    set(s -> s.edit().commandsEnabled(false).build());
    node.round();
    say(1, "ann", "/mainstay merge");
    set(s -> s.edit().commandsEnabled(true).build());
    node.round();
    hook();
    assertThat(isIn(1)).isFalse();
    assertThat(answers()).isEmpty();
    say(1, "ann", "/mainstay merge");
    assertThat(isIn(1)).isTrue();
  }

  @Test
  void several_commands_are_done_in_their_order() {
    listening(required("ci").edit().commandPrefixes(List.of("/mainstay", "/trunk")).build());
    int id = say(1, "ann", "/trunk merge\n/mainstay cancel\n/trunk merge --priority low");
    assertThat(answers()).containsExactly(id + " DONE");
    assertThat(scene.view(1).priority().value()).isEqualTo(200);
    assertThat(isIn(1)).isTrue();
  }

  @Test
  void a_crash_between_acting_and_answering_neither_acts_twice_nor_forgets() {
    listening();
    host.onReact = Optional.of(ForgeUnavailable.ofHost("The host is down."));
    int id = say(1, "ann", "/mainstay merge");
    assertThat(isIn(1)).isTrue();
    node.queues.pullRequests().cancel(scene.main, new PullRequestRef(1));
    host.onReact = Optional.empty();
    node.endSession();
    QueueNode next = another();
    next.runUntil(() -> !answers().isEmpty());
    assertThat(answers()).containsExactly(id + " DONE");
    next.round();
    assertThat(isIn(1)).as("it was not submitted again").isFalse();
    assertThat(scene.count("SELECT count(*) FROM asked WHERE answered_at IS NULL")).isZero();
  }

  @Test
  void a_node_that_dies_after_one_of_two_commands_leaves_the_other_to_the_next() {
    listening();
    int id = say(1, "ann", "/mainstay merge");
    int both = host.say(1, "ann", "/mainstay cancel\n/mainstay merge");
    node.database.useTransaction(
        h ->
            h.execute(
                """
                INSERT INTO asked (repository_id, source, pr, who, said, asked_at, done)
                SELECT repository_id, 'comment %d', 1, 'ann', E'/mainstay cancel\\n/mainstay merge', now(), 1
                FROM conversation
                """
                    .formatted(both)));
    String entry = scene.view(1).id();
    hook();
    assertThat(answers()).containsExactly(id + " DONE", both + " DONE");
    assertThat(scene.view(1).id()).as("it was not cancelled").isEqualTo(entry);
  }

  @Test
  void what_another_node_did_meanwhile_is_not_done_again() {
    listening();
    host.onPermission =
        () -> node.database.useTransaction(h -> h.execute("UPDATE asked SET done = 1"));
    int id = say(1, "ann", "/mainstay merge");
    assertThat(isIn(1)).isFalse();
    assertThat(answers()).isEmpty();
    host.onPermission = () -> {};
    hook();
    assertThat(answers()).containsExactly(id + " DONE");
    assertThat(isIn(1)).isFalse();
  }

  @Test
  void two_nodes_that_hear_the_same_act_once() throws Exception {
    listening();
    QueueNode other = another();
    other.rooms.presence.round();
    for (int i = 0; i < 5; i++) {
      host.say(1, "ann", "/mainstay merge");
      host.say(1, "ann", "/mainstay cancel");
      node.database.useTransaction(
          h ->
              ConversationStore.askFor(
                  h, h.select("SELECT repository_id FROM conversation").mapTo(Long.class).list()));
      List<Thread> begun = new ArrayList<>(node.talking.talk());
      begun.addAll(other.talking.talk());
      begun.forEach(QueueNode::join);
    }
    hook();
    assertThat(answers()).hasSize(10).doesNotHaveDuplicates().allMatch(a -> a.endsWith("DONE"));
    assertThat(scene.count("SELECT count(*) FROM pull_request")).isEqualTo(5);
  }

  @Test
  void the_queue_is_that_of_the_base_branch() {
    listening();
    var release = new QueueName(scene.main.organizationId(), QueueScene.REPO, "release");
    node.queues.create(release, required("ci"));
    host.bases.put(1, "release");
    host.bases.put(2, "elsewhere");
    int one = say(1, "ann", "/mainstay merge");
    int two = say(2, "ann", "/mainstay merge");
    assertThat(answers()).containsExactly(one + " DONE", two + " REFUSED");
    assertThat(isIn(1)).isFalse();
    assertThat(node.queues.pullRequests().pullRequest(release, new PullRequestRef(1)))
        .isInstanceOf(Outcomes.Shown.class);
    assertThat(host.ours(2)).contains("> No queue merges into `elsewhere`.");
  }

  @Test
  void a_queue_that_wants_no_commands_is_asked_for_none() {
    scene.create(required("ci").edit().commandsEnabled(false).build());
    node.round();
    node.round();
    say(1, "ann", "/mainstay merge");
    assertThat(host.asked).isZero();
    scene.submit(1);
    node.runUntil(() -> !host.ours.isEmpty());
    assertThat(host.ours(1)).doesNotContain("/mainstay cancel");
  }

  @Test
  void without_hooks_comments_are_read_every_so_often() {
    listening();
    int asked = host.asked;
    host.say(1, "ann", "/mainstay merge");
    Collections.nCopies(5, node).forEach(QueueNode::round);
    assertThat(host.asked).isEqualTo(asked);
    scene.clock.advance(Duration.ofMinutes(1));
    node.round();
    assertThat(isIn(1)).isTrue();
  }
}
