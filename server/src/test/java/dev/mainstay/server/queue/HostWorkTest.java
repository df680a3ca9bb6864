package dev.mainstay.server.queue;

import static dev.mainstay.server.queue.QueueScene.required;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.forge.Abilities;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.HostedForge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The work of a queue at a host: checks on heads, tries after a cancel, test pull requests. */
class HostWorkTest {
  private static final Abilities ABLE =
      Abilities.of(
          Ability.STATUSES,
          Ability.RERUNS,
          Ability.STOPPING,
          Ability.CHECKS,
          Ability.TEST_PULL_REQUESTS);

  @TempDir private Path directory;
  private QueueScene scene;
  private QueueNode node;
  private final Remembering host = new Remembering();

  /** A host that remembers what is asked of it, over real git. */
  private static final class Remembering implements Host {
    private Verdict ci = Verdict.NONE;
    private Optional<RuntimeException> fault = Optional.empty();
    private final List<String> reruns = new ArrayList<>();
    private final List<CommitSha> stopped = new ArrayList<>();
    private final List<Check> checks = new ArrayList<>();
    private final List<TestPullRequest> opened = new ArrayList<>();

    @Override
    public List<Status> statuses(CommitSha commit) {
      return List.of(new Status("ci", ci, Optional.empty()));
    }

    @Override
    public boolean rerun(CommitSha commit, String name) {
      reruns.add(name);
      return true;
    }

    @Override
    public void stop(CommitSha commit) {
      stopped.add(commit);
    }

    @Override
    public void write(Check check) {
      fault.ifPresent(
          e -> {
            throw e;
          });
      checks.add(check);
    }

    @Override
    public PullRequestRef open(TestPullRequest test) {
      opened.add(test);
      return new PullRequestRef(1000 + opened.size());
    }

    private String title() {
      return checks.getLast().title();
    }

    private List<String> titles() {
      return checks.stream().map(Check::title).toList();
    }
  }

  @BeforeEach
  void start() {
    scene = new QueueScene(directory);
    scene.connect(Optional.empty());
    node = another();
  }

  private QueueNode another() {
    return scene.node(git -> new HostedForge(git, ABLE, Optional.of(host)));
  }

  @AfterEach
  void stop() {
    scene.close();
  }

  private void submitted(QueueSettings settings, int... numbers) {
    scene.create(settings);
    for (int number : numbers) {
      scene.repository.open(number, "change " + number);
    }
    node.round();
    for (int number : numbers) {
      scene.submit(number);
      node.runUntil(() -> scene.state(number) == PullRequestState.TESTING);
    }
    node.runUntil(() -> scene.repository.testBranches().size() == numbers.length);
  }

  private void look() {
    scene.clock.advance(Duration.ofSeconds(61));
    node.round();
  }

  @Test
  void what_ci_cancelled_is_tried_twice_before_it_counts() {
    submitted(required("ci"), 1);
    host.ci = Host.Verdict.CANCELLED;
    look();
    node.round();
    assertThat(host.reruns).hasSize(1);
    look();
    assertThat(host.reruns).hasSize(2);
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTING);

    look();
    node.runUntil(() -> scene.state(1) == PullRequestState.FAILED);
    assertThat(host.reruns).hasSize(2);
    assertThat(scene.view(1).reason().code().code()).isEqualTo("ci_cancelled");
    scene.checkReplay();
  }

  @Test
  void what_passes_when_tried_again_lands() {
    submitted(required("ci"), 1);
    host.ci = Host.Verdict.CANCELLED;
    look();
    host.ci = Host.Verdict.SUCCESS;
    look();
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
  }

  @Test
  void ci_is_stopped_for_what_is_not_wanted_any_more_and_for_nothing_else() {
    submitted(required("ci"), 1, 2);
    List<CommitSha> tested =
        scene.runs().stream().map(r -> new CommitSha(r.testBranchSha().orElseThrow())).toList();
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(2));
    node.runUntil(() -> scene.repository.testBranches().size() == 1);
    assertThat(host.stopped).hasSize(1);
    assertThat(tested).containsAll(host.stopped);

    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    node.runUntil(() -> scene.repository.testBranches().isEmpty());
    assertThat(host.stopped).hasSize(1);
  }

  @Test
  void test_branches_have_pull_requests_of_their_own_where_a_queue_wants_that() {
    submitted(required("ci").edit().createPrsForTestingBranches(true).build(), 1);
    assertThat(host.opened).hasSize(1);
    assertThat(host.opened.getFirst().branch())
        .isEqualTo(scene.repository.testBranches().getFirst());
    assertThat(host.opened.getFirst().targetBranch()).isEqualTo("main");
    assertThat(host.opened.getFirst().title()).contains("#1");
  }

  @Test
  void the_check_on_a_head_says_place_and_end() {
    submitted(required("ci"), 1, 2);
    CommitSha second = new CommitSha(scene.view(2).sha().orElseThrow());
    assertThat(host.titles()).contains("Testing, 1st in line", "Testing, 2nd in line, behind #1");
    assertThat(host.checks.getLast().commit()).isEqualTo(second);
    assertThat(host.checks.getLast().name()).isEqualTo("mainstay");
    assertThat(host.checks.getLast().verdict()).isEqualTo(Host.Verdict.PENDING);

    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(2) == PullRequestState.MERGED);
    node.round();
    assertThat(host.title()).startsWith("Merged as ");
    assertThat(host.checks.getLast().verdict()).isEqualTo(Host.Verdict.SUCCESS);
    assertThat(scene.count("SELECT count(*) FROM head_check")).isZero();
  }

  @Test
  void a_change_of_place_alone_is_told_every_so_often() {
    submitted(required("ci"), 1, 2, 3);
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1));
    node.round();
    assertThat(host.titles()).contains("Left: It was cancelled.");
    node.runUntil(() -> scene.state(3) == PullRequestState.TESTING);
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(2));
    node.runUntil(() -> host.title().equals("Testing, 1st in line"));
    int written = host.checks.size();
    look();
    node.round();
    assertThat(host.checks).hasSize(written);
  }

  @Test
  void the_end_is_told_by_another_node_after_a_crash_too() {
    submitted(required("ci"), 1);
    host.fault = Optional.of(ForgeUnavailable.ofHost("The host is down."));
    scene.report(CheckState.FAILURE);
    node.runUntil(() -> scene.state(1) == PullRequestState.FAILED);
    node.round();
    host.fault = Optional.empty();
    QueueNode next = another();
    next.runUntil(() -> host.title().startsWith("Not merged: "));
    assertThat(host.checks.getLast().verdict()).isEqualTo(Host.Verdict.FAILURE);
  }

  @Test
  void nothing_is_written_on_a_head_that_is_being_merged() throws Exception {
    var faults = new FaultyForge.Faults(1);
    QueueNode slow =
        scene.node(git -> new HostedForge(new FaultyForge(git, faults), ABLE, Optional.of(host)));
    submitted(required("ci"), 1);
    int before = host.checks.size();
    FaultyForge.Hanging merging = faults.hang(FaultyForge.Moment.BEFORE_MERGE);
    scene.report(CheckState.SUCCESS);
    List<Thread> begun = slow.begin();
    merging.there().await();
    assertThat(scene.state(1)).isEqualTo(PullRequestState.TESTS_PASSED);
    slow.talking.checkHeads();
    assertThat(host.checks).as("the host may require ours to be green").hasSize(before);
    merging.letGo().countDown();
    begun.forEach(QueueNode::join);
    slow.talking.checkHeads();
    assertThat(host.title()).startsWith("Merged as ");
  }

  @Test
  void the_end_is_told_where_nothing_could_be_told_before_it() {
    host.fault = Optional.of(ForgeUnavailable.ofHost("The host is down."));
    submitted(required("ci"), 1);
    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    node.round();
    assertThat(host.checks).isEmpty();
    host.fault = Optional.empty();
    another().runUntil(() -> !host.checks.isEmpty());
    assertThat(host.titles()).singleElement().asString().startsWith("Merged as ");
    assertThat(scene.count("SELECT count(*) FROM head_check")).isZero();
  }

  @Test
  void who_came_and_went_between_two_looks_is_told_its_end() {
    scene.create(required("ci"));
    scene.repository.open(1, "change 1");
    scene.submit(1);
    scene.queues().pullRequests().cancel(scene.main, new PullRequestRef(1));
    node.round();
    assertThat(host.titles()).containsExactly("Left: It was cancelled.");
    scene.repository.open(2, "change 2");
    scene.submit(2);
    node.runUntil(() -> scene.state(2) == PullRequestState.TESTING);
    node.round();
    assertThat(host.titles()).as("once").containsOnlyOnce("Left: It was cancelled.");
  }

  @Test
  void who_may_not_write_checks_still_lands() {
    host.fault = Optional.of(new CredentialsRefused("You may not write checks."));
    submitted(required("ci"), 1);
    scene.report(CheckState.SUCCESS);
    node.runUntil(() -> scene.state(1) == PullRequestState.MERGED);
    assertThat(host.checks).isEmpty();
    another().round();
    assertThat(scene.count("SELECT count(*) FROM head_check")).isZero();
  }

  @Test
  void a_queue_that_wants_no_checks_gets_none() {
    submitted(required("ci").edit().statusCheckEnabled(false).build(), 1);
    look();
    assertThat(host.checks).isEmpty();
  }
}
