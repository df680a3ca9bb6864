package dev.mainstay.server.queue.work;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.QueueScene;
import dev.mainstay.server.queue.run.LogReplay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tables of a queue do not grow for ever, and the log that is left can still be played. */
class TidyTest {
  @TempDir private Path directory;
  private QueueScene scene;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void old_events_go_and_the_rest_still_leads_to_the_state_there_is() {
    merge(1);
    long first = events();
    tidy();
    assertThat(events()).isEqualTo(first);

    pass(31);
    assertThat(states()).as("a state a month").isEqualTo(2);
    tidy();
    assertThat(states()).as("nothing happened since").isEqualTo(2);
    merge(2);
    scene.checkReplay();

    pass(88);
    assertThat(scene.count("SELECT min(seq) FROM queue_event")).isZero();
    assertThat(scene.count("SELECT min(number) FROM pull_request")).as("history").isEqualTo(2);
    pass(3);
    assertThat(scene.count("SELECT min(seq) FROM queue_event")).isGreaterThan(first - 1);
    scene.checkReplay();
    merge(3);
    scene.checkReplay();

    pass(400);
    pass(400);
    assertThat(events()).isEqualTo(1);
    merge(4);
    scene.checkReplay();
  }

  @Test
  void a_log_that_leads_elsewhere_is_found_out_at_the_next_state_in_it() {
    merge(1);
    pass(31);
    merge(2);
    scene
        .node()
        .database
        .useTransaction(
            h ->
                h.execute(
                    "DELETE FROM queue_event WHERE seq = (SELECT min(seq) FROM queue_event WHERE seq > 0)"));
    assertThat(new LogReplay(scene.node().database).of(scene.main).orElseThrow().isSame())
        .isFalse();
  }

  @Test
  void targets_that_nobody_used_go_and_those_that_something_names_stay() {
    CommitSha head = scene.repository.open(1, "content");
    setTargets(1, head, "used");
    setTargets(2, new CommitSha("b".repeat(40)), "unused");
    scene.submit(1);
    scene.node().runUntil(() -> scene.repository.testBranches().size() == 1);
    assertThat(scene.count("SELECT count(*) FROM target_set")).isEqualTo(2);

    pass(13);
    assertThat(scene.count("SELECT count(*) FROM impacted_targets")).isPositive();
    pass(2);
    assertThat(scene.count("SELECT count(*) FROM impacted_targets")).isZero();

    pass(104);
    assertThat(scene.count("SELECT count(*) FROM target_set")).isEqualTo(2);
    pass(2);
    assertThat(scene.count("SELECT count(*) FROM target_set")).isEqualTo(1);
    assertThat(scene.runs().getFirst().impactedTargets().names()).contains("//used:7");
    scene.checkReplay();
  }

  @Test
  void a_deleted_queue_goes_with_its_history_when_the_retention_is_over() {
    merge(1);
    assertThat(scene.queues().delete(scene.main)).isInstanceOf(Outcomes.Deleted.class);
    pass(89);
    scene.create(required("ci"));
    assertThat(scene.state(1)).isEqualTo(PullRequestState.MERGED);
    merge(2);
    scene.checkReplay();

    scene.queues().delete(scene.main);
    pass(89);
    assertThat(scene.count("SELECT count(*) FROM pull_request")).isEqualTo(1);
    pass(2);
    assertThat(scene.count("SELECT count(*) FROM pull_request")).isZero();
    assertThat(scene.count("SELECT count(*) FROM pull_request_transition")).isZero();
    assertThat(scene.count("SELECT count(*) FROM merge_queue")).isZero();
    scene.create(required("ci"));
    merge(3);
  }

  @Test
  void a_deleted_queue_stays_as_long_as_an_entry_of_it() {
    merge(1);
    scene.queues().delete(scene.main);
    scene
        .node()
        .database
        .useTransaction(
            h -> h.execute("UPDATE pull_request SET ended_at = ended_at + interval '2 days'"));
    pass(91);
    assertThat(
            scene.count(
                "SELECT count(*) FROM pull_request p JOIN merge_queue q ON q.id = p.queue_id"))
        .isEqualTo(1);
    pass(2);
    assertThat(scene.count("SELECT count(*) FROM merge_queue")).isZero();
  }

  @Test
  void statuses_of_heads_go_after_a_while() {
    scene
        .queues()
        .headReports()
        .report(scene.main, new CommitSha("c".repeat(40)), "ci", CheckState.SUCCESS);
    pass(13);
    assertThat(scene.count("SELECT count(*) FROM head_status")).isEqualTo(1);
    pass(2);
    assertThat(scene.count("SELECT count(*) FROM head_status")).isZero();
  }

  private void setTargets(int number, CommitSha head, String name) {
    var targets =
        ImpactedTargets.of(
            IntStream.range(0, 100).mapToObj(i -> "//" + name + ":" + i).toArray(String[]::new));
    assertThat(
            scene
                .queues()
                .pullRequests()
                .setImpactedTargets(
                    scene.main, new PullRequestRef(number), Optional.of(head), targets))
        .isInstanceOf(Outcomes.TargetsSet.class);
    scene
        .node()
        .database
        .useTransaction(h -> h.execute("UPDATE target_set SET used_at = ?", scene.clock.instant()));
  }

  private void merge(int number) {
    scene.repository.open(number, "content");
    scene.submit(number);
    scene
        .node()
        .runUntil(
            () -> {
              scene.report(CheckState.SUCCESS);
              return scene.state(number) == PullRequestState.MERGED;
            });
    scene.node().runUntil(() -> scene.count("SELECT count(*) FROM queue_action") == 0);
  }

  private void pass(int days) {
    scene.clock.advance(Duration.ofDays(days));
    tidy();
  }

  private void tidy() {
    scene.node().rooms.tidy.round();
  }

  private long events() {
    return scene.count("SELECT count(*) FROM queue_event");
  }

  private long states() {
    return scene.count("SELECT count(*) FROM queue_event WHERE whole");
  }
}
