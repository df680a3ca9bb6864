package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.forge.git.GitHttpServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A repository over http whose password no longer works, or is good for reading only: nothing is
 * given up, the connection says what to do, and with a new password everything goes on.
 */
class RefusedCredentialsTest {
  private static final String ADVICE = "Connect the repository again with credentials that work.";

  @TempDir private Path directory;
  private QueueScene scene;
  private GitHttpServer server;
  private final FaultyForge.Faults faults = new FaultyForge.Faults(1);
  private QueueNode node;

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    server = new GitHttpServer(directory);
    node = scene.node(forge -> new FaultyForge(forge, faults));
    scene.repository.open(1, "one");
  }

  @AfterEach
  void stop() {
    scene.close();
    server.close();
  }

  private Connections.Connect connect(String password, Optional<String> command) {
    return scene.connect(
        server.address(Path.of(scene.repository.address()), "bot:" + password + "@"), command);
  }

  private void begin(QueueSettings settings, Optional<String> command) {
    assertThat(connect("s3cr3t", command)).isInstanceOf(Connections.Connected.class);
    scene.create(settings);
    node.round();
  }

  /** Many rounds over several hours, in which every wait ends again and again. */
  private void waitLong() {
    for (int i = 0; i < 6; i++) {
      scene.clock.advance(Duration.ofMinutes(20));
      node.round();
    }
  }

  @Test
  void who_connects_with_a_wrong_password_is_told_so() {
    assertThat(connect("wr0ng", Optional.empty()))
        .isInstanceOfSatisfying(
            Connections.NotReachable.class,
            not ->
                assertThat(not.sentence())
                    .endsWith("asks for credentials, or does not accept the ones it has."));
  }

  @Test
  void a_test_branch_is_built_with_the_new_password_at_once() {
    begin(required("ci"), Optional.empty());
    scene.submit(1);
    String run = scene.runs().getFirst().id();
    server.password("n3xt");
    for (int i = 0; i < 25; i++) {
      scene.clock.advance(Duration.ofMinutes(1));
      node.round();
    }
    assertThat(scene.runs().getFirst().id()).isEqualTo(run);
    assertThat(scene.count("SELECT attempts FROM queue_action")).isZero();
    assertThat(scene.fault().orElseThrow())
        .contains("does not accept")
        .endsWith(ADVICE)
        .doesNotContain("s3cr3t");

    assertThat(connect("n3xt", Optional.empty())).isInstanceOf(Connections.Connected.class);
    assertThat(scene.fault()).isEmpty();
    node.round();
    assertThat(scene.repository.testBranches().getFirst()).endsWith(run);
    assertThat(scene.fault()).isEmpty();
  }

  @Test
  void after_hours_it_goes_on_as_well() {
    begin(required("ci"), Optional.empty());
    scene.submit(1);
    server.password("n3xt");
    waitLong();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);
    connect("n3xt", Optional.empty());
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    node.runUntil(() -> scene.count("SELECT count(*) FROM queue_action") == 0);
    scene.checkReplay();
  }

  @Test
  void a_landing_is_not_lost() {
    begin(required("ci"), Optional.empty());
    scene.submit(1);
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    server.password("n3xt");
    scene.report(CheckState.SUCCESS);
    waitLong();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);
    connect("n3xt", Optional.empty());
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    scene.checkReplay();
  }

  @Test
  void a_test_command_waits_for_its_files() {
    begin(QueueSettings.defaults(), Optional.of("true"));
    scene.submit(1);
    node.rooms.actions.round(() -> {}).forEach(QueueNode::join);
    assertThat(scene.count("SELECT count(*) FROM test_command_run")).isEqualTo(1);
    server.password("n3xt");
    // Another node has no copy of the commit yet.
    QueueNode other = scene.node(forge -> forge);
    for (int i = 0; i < 8; i++) {
      scene.clock.advance(Duration.ofMinutes(20));
      other.round();
      other.awaitCommands();
    }
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);
    assertThat(scene.count("SELECT attempts FROM test_command_run")).isZero();
    connect("n3xt", Optional.of("true"));
    other.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
  }

  @Test
  void looks_are_seldom_until_somebody_asks_or_connects_anew() {
    begin(required("ci"), Optional.empty());
    server.password("n3xt");
    scene.clock.advance(Duration.ofSeconds(10));
    node.round();
    assertThat(scene.fault()).isPresent();
    int before = faults.calls();
    scene.clock.advance(Duration.ofMinutes(9));
    node.round();
    assertThat(faults.calls()).isEqualTo(before);
    scene.queues().connections().hook(scene.main.organizationId(), QueueScene.REPO);
    node.round();
    assertThat(faults.calls()).isGreaterThan(before);
    scene.clock.advance(Duration.ofMinutes(9));
    connect("n3xt", Optional.empty());
    before = faults.calls();
    node.round();
    assertThat(faults.calls()).isGreaterThan(before);
    assertThat(scene.fault()).isEmpty();
  }

  @Test
  void a_password_that_is_good_for_reading_only_stays_a_fault_until_something_is_written() {
    begin(required("ci"), Optional.empty());
    server.takePushes(false);
    scene.submit(1);
    waitLong();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);
    assertThat(scene.fault().orElseThrow()).contains("does not let us in").endsWith(ADVICE);
    int before = faults.calls();
    scene.clock.advance(Duration.ofSeconds(6));
    node.round();
    assertThat(faults.calls()).as("looking goes on").isGreaterThan(before);
    assertThat(scene.fault()).isPresent();
    server.takePushes(true);
    scene.clock.advance(Duration.ofMinutes(10));
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    assertThat(scene.fault()).isEmpty();
  }
}
