package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.forge.Forge.Look;
import dev.mainstay.server.platform.Database;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Looks at repositories: cheap where nothing moved, and never at the price of missing something.
 */
class LookingTest {
  private static final Duration LEASE = Duration.ofMinutes(2);

  @TempDir private Path directory;
  private QueueScene scene;
  private final FaultyForge.Faults faults = new FaultyForge.Faults(1);
  private QueueNode node;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    node = scene.node(forge -> new FaultyForge(forge, faults));
    scene.connect(Optional.empty());
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private void look() {
    scene.clock.advance(Duration.ofSeconds(6));
    node.round();
  }

  private void settle() {
    for (int i = 0; i < 4; i++) {
      look();
    }
    assertThat(faults.looks().getLast()).isEqualTo(new Look.Unchanged());
  }

  @Test
  void an_unchanged_repository_is_asked_for_nothing_more() {
    scene.create(required("ci"));
    settle();
    int before = faults.calls();
    look();
    assertThat(faults.calls() - before).as("a look and the protection of the branch").isEqualTo(2);
    CommitSha pushed = scene.repository.push("new", "content");
    look();
    assertThat(faults.looks().getLast()).isInstanceOf(Look.Seen.class);
    assertThat(node.rooms.runner.find(scene.main).orElseThrow().state().target().head())
        .contains(pushed);
    settle();
  }

  @Test
  void a_head_that_is_back_where_it_was_is_noticed_by_a_queue_that_heard_of_another() {
    scene.create(required("ci"));
    CommitSha first = scene.repository.open(1, "first");
    settle();
    CommitSha second = scene.repository.open(1, "second");
    scene.submit(1);
    assertThat(scene.view(1).sha()).contains(second.value());
    scene.repository.moveBack(1, first);
    look();
    assertThat(scene.view(1).sha()).contains(first.value());
  }

  @Test
  void a_new_queue_is_told_of_an_unchanged_repository() {
    settle();
    CommitSha main = new CommitSha(scene.repository.head("main"));
    scene.create(required("ci"));
    look();
    assertThat(node.rooms.runner.find(scene.main).orElseThrow().state().target().head())
        .contains(main);
  }

  @Test
  void a_pull_request_that_is_closed_is_noticed_in_a_quiet_repository() {
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    look();
    scene.submit(1);
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    settle();
    scene.repository.close(1);
    look();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.CANCELLED);
  }

  @Test
  void a_look_says_nothing_of_a_repository_that_was_connected_anew_meanwhile() {
    Database database = node.database;
    Instant now = scene.clock.instant().truncatedTo(ChronoUnit.MICROS);
    ConnectionStore.Row before = take(Set.of(), Set.of()).getFirst().how();
    scene.connect(Optional.of("true"));
    database.useTransaction(
        handle ->
            ConnectionStore.looked(
                handle, before, now.plus(LEASE), now, now, Optional.of("It is gone.")));
    assertThat(scene.fault()).isEmpty();
    assertThat(take(Set.of(), Set.of())).extracting(due -> due.how().version()).containsExactly(2L);
    scene.queues().connections().disconnect(scene.main.organizationId(), QueueScene.REPO);
    scene.clock.advance(Duration.ofSeconds(1));
    scene.connect(Optional.empty());
    database.useTransaction(
        handle ->
            ConnectionStore.looked(
                handle, before, now.plus(LEASE), now, now, Optional.of("It is gone.")));
    assertThat(scene.fault()).as("of the same version").isEmpty();
  }

  @Test
  void of_a_busy_host_only_those_are_looked_at_that_somebody_asks_for_and_of_a_closed_one_none() {
    Database database = node.database;
    database.useTransaction(
        h -> h.execute("UPDATE repository_connection SET host = 'busy.example'"));
    assertThat(take(Set.of("busy.example"), Set.of("busy.example"))).isEmpty();
    List<ConnectionStore.Due> asked = take(Set.of("busy.example"), Set.of());
    assertThat(asked).extracting(ConnectionStore.Due::askedFor).containsExactly(true);
    scene.clock.advance(LEASE.plusSeconds(1));
    assertThat(take(Set.of("busy.example"), Set.of())).as("merely due").isEmpty();
    assertThat(take(Set.of("other.example"), Set.of("other.example")))
        .extracting(ConnectionStore.Due::askedFor)
        .containsExactly(false);
    scene.queues().connections().hook(scene.main.organizationId(), QueueScene.REPO);
    assertThat(take(Set.of("busy.example"), Set.of())).hasSize(1);
  }

  private List<ConnectionStore.Due> take(Set<String> busy, Set<String> closed) {
    return node.database.inTransaction(
        handle -> ConnectionStore.take(handle, 1, scene.clock.instant(), LEASE, busy, closed, 9));
  }
}
