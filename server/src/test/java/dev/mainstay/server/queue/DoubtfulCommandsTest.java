package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When a node dies, nobody knows which of its test commands did it. Who was begun twice without an
 * end has its last begin alone, so that the innocent pass it.
 */
class DoubtfulCommandsTest {
  @TempDir private Path directory;
  private QueueScene scene;

  @BeforeEach
  void makeTwoCommandsDue() {
    scene = new QueueScene(directory);
    Path go = directory.resolve("go");
    scene.connect(Optional.of("until [ -e " + go + " ]; do sleep 0.1; done"));
    scene.create(QueueSettings.defaults());
    for (int number = 1; number <= 2; number++) {
      scene.repository.open(number, "change " + number);
      scene.submit(number);
    }
    MergeQueues rooms = scene.node().rooms;
    while (scene.count("SELECT count(*) FROM test_command_run") < 2) {
      rooms.presence.round();
      rooms.watches.round().forEach(QueueNode::join);
      rooms.actions.round(() -> {}).forEach(QueueNode::join);
    }
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  @Test
  void it_runs_before_others_and_alone() throws IOException {
    change("unended = 2");
    round();
    round();
    assertThat(inHand()).containsExactly(last());
    letGo();
  }

  @Test
  void it_waits_until_the_node_is_free_and_nobody_goes_before() throws IOException {
    change("due_at = due_at + interval '1 day'");
    round();
    assertThat(inHand()).hasSize(1).doesNotContain(last());
    change("due_at = due_at - interval '1 day', unended = 2");
    round();
    assertThat(inHand()).hasSize(1).doesNotContain(last());
    letGo();
  }

  private void round() {
    scene.node().rooms.commands.round(() -> {});
  }

  /** The innocent pass. */
  private void letGo() throws IOException {
    Files.createFile(directory.resolve("go"));
    scene.node().awaitCommands();
    scene.node().runUntil(() -> scene.state(2) == PullRequestState.MERGED);
    scene.checkReplay();
  }

  private long last() {
    return scene.count("SELECT max(run) FROM test_command_run");
  }

  /** Changes the later of the two. */
  private void change(String what) {
    scene
        .node()
        .database
        .useTransaction(
            h -> h.execute("UPDATE test_command_run SET " + what + " WHERE run = ?", last()));
  }

  private List<Long> inHand() {
    return scene
        .node()
        .database
        .query(
            h ->
                h.select("SELECT run FROM test_command_run WHERE node IS NOT NULL")
                    .mapTo(Long.class)
                    .list());
  }
}
