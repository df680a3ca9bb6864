package dev.mainstay.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull request's way from its submission onto the branch, with real git. */
class QueuesOnGitTest {
  private static final RepoName REPO = new RepoName("git.example.org", "team", "app");

  @TempDir private Path directory;
  private TestRepository repository;
  private QueueNode node;
  private QueueName main;

  @BeforeEach
  void start() {
    repository = new TestRepository(directory);
    node =
        new QueueNode(
            TestDatabase.empty(), new MovableClock(), directory.resolve("work"), forge -> forge);
    long organization =
        node.database.inTransaction(
            h ->
                h.createQuery(
                        "INSERT INTO organization (slug, name, created_at) VALUES ('acme', 'Acme', now()) RETURNING id")
                    .mapTo(Long.class)
                    .one());
    main = new QueueName(organization, REPO, "main");
  }

  @AfterEach
  void stop() {
    node.close();
  }

  @Test
  void what_was_reported_as_tested_lands() {
    connect(Optional.empty());
    node.queues.create(main, required("ci"));
    repository.open(1, "one");
    repository.open(2, "two");
    node.round();

    var submitted = (Outcomes.Submitted) submit(1);
    assertThat(submitted.pullRequest().title()).isEqualTo("Change 1");
    submit(2);
    node.runUntil(() -> repository.testBranches().size() == 2);
    pass(1);
    pass(2);
    node.runUntil(() -> state(1) == PullRequestState.MERGED && state(2) == PullRequestState.MERGED);

    assertThat(repository.subjects()).containsExactly("Change 2 (#2)", "Change 1 (#1)", "Begin");
    node.runUntil(() -> repository.testBranches().isEmpty());
    assertThat(node.queues.find(main).orElseThrow().pullRequests()).isEmpty();
  }

  private void connect(Optional<String> command) {
    assertThat(
            node.queues.connect(
                main.organizationId(), REPO, repository.address(), command, Duration.ofMinutes(5)))
        .isInstanceOf(Outcomes.Connected.class);
  }

  private static QueueSettings required(String... statuses) {
    return QueueSettings.defaults().edit().requiredStatuses(Optional.of(List.of(statuses))).build();
  }

  private Outcomes.Submit submit(int number) {
    return node.queues.submit(main, new PullRequestRef(number), Optional.empty(), Optional.empty());
  }

  private PullRequestState state(int number) {
    return ((Outcomes.Shown) node.queues.pullRequest(main, new PullRequestRef(number)))
        .pullRequest()
        .state();
  }

  private void pass(int number) {
    var runs =
        (Outcomes.TestRuns)
            node.queues.testingDetails(
                main, Optional.empty(), Optional.of(new PullRequestRef(number)));
    String sha = runs.runs().getFirst().testBranchSha().orElseThrow();
    assertThat(
            node.queues.reportTestStatus(
                main, new CommitSha(sha), "ci", CheckState.SUCCESS, Optional.empty()))
        .isInstanceOf(Outcomes.Reported.class);
  }
}
