package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Status;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.HostedForge;
import dev.mainstay.server.queue.store.TestRunStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A forge whose host has the statuses of commits: nobody needs to report what it shows. */
class HostStatusesTest {
  @TempDir private Path directory;
  private QueueScene scene;
  private QueueNode node;
  private final Map<CommitSha, List<Status>> shown = new ConcurrentHashMap<>();
  private final Set<CommitSha> asked = ConcurrentHashMap.newKeySet();

  /** The host, over real git. */
  private final class Showing implements Host {
    @Override
    public List<Status> statuses(CommitSha commit) {
      asked.add(commit);
      return shown.getOrDefault(commit, List.of());
    }
  }

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    scene.create(required("ci"));
    scene.repository.open(1, "one");
    node =
        scene.node(
            git ->
                new HostedForge(git, Abilities.of(Ability.STATUSES), Optional.of(new Showing())));
    node.round();
    scene.submit(1);
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private long lastTold() {
    return scene.count(
        "SELECT CAST(extract(epoch FROM max(reported_at)) AS bigint) FROM test_check");
  }

  private CommitSha tested() {
    return new CommitSha(scene.repository.head(scene.repository.testBranches().getFirst()));
  }

  private void show(String name, Verdict verdict) {
    shown.put(tested(), List.of(new Status(name, verdict, Optional.of("https://ci.example/1"))));
    scene.clock.advance(Duration.ofSeconds(20));
    node.round();
  }

  private TestRunStore.Check check() {
    return scene.runs().getFirst().checks().getFirst();
  }

  @Test
  void what_it_shows_as_passed_lands_and_only_runs_are_asked_for() {
    CommitSha tested = tested();
    show("ci", Verdict.PENDING);
    assertThat(check().state()).isEqualTo(CheckState.PENDING);
    assertThat(check().url()).contains("https://ci.example/1");
    show("ci", Verdict.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(asked).containsExactly(tested);
    assertThat(scene.repository.subjects()).containsExactly("Change 1 (#1)", "Begin");
    scene.checkReplay();
  }

  @Test
  void what_it_shows_as_failed_fails() {
    show("ci", Verdict.FAILURE);
    node.runUntil(() -> scene.state(1) == PullRequestState.FAILED);
    scene.checkReplay();
  }

  @Test
  void what_is_no_verdict_or_of_another_name_decides_nothing() {
    show("ci", Verdict.NONE);
    show("lint", Verdict.FAILURE);
    show("lint", Verdict.SUCCESS);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);
    assertThat(scene.runs().getFirst().checks())
        .extracting(TestRunStore.Check::name)
        .contains("lint");
  }

  @Test
  void the_same_word_is_told_once() {
    show("ci", Verdict.PENDING);
    long told = lastTold();
    show("ci", Verdict.PENDING);
    assertThat(lastTold()).isEqualTo(told);
    show("ci", Verdict.SUCCESS);
    assertThat(lastTold()).isGreaterThan(told);
  }

  @Test
  void what_it_showed_before_a_restart_does_not_count_until_CI_begins_anew() {
    CommitSha first = tested();
    scene.repository.open(2, "two");
    scene.submit(2);
    node.runUntil(() -> scene.repository.testBranches().size() == 2);
    CommitSha second =
        scene.repository.testBranches().stream()
            .map(branch -> new CommitSha(scene.repository.head(branch)))
            .filter(commit -> !commit.equals(first))
            .findFirst()
            .orElseThrow();
    show(second, Verdict.FAILURE);
    node.runUntil(() -> scene.state(2) == PullRequestState.PENDING_FAILURE);
    scene.queues().pullRequests().restart(scene.main, new PullRequestRef(2));
    node.round();
    show(second, Verdict.FAILURE);
    assertThat(scene.state(2)).isEqualTo(PullRequestState.TESTING);
    show(second, Verdict.PENDING);
    show(second, Verdict.FAILURE);
    node.runUntil(() -> scene.state(2) == PullRequestState.PENDING_FAILURE);
    scene.checkReplay();
  }

  private void show(CommitSha commit, Verdict verdict) {
    shown.put(commit, List.of(new Status("ci", verdict, Optional.empty())));
    scene.clock.advance(Duration.ofSeconds(20));
    node.round();
  }
}
