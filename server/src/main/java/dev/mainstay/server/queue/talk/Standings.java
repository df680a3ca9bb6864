package dev.mainstay.server.queue.talk;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.FailedTest;
import dev.mainstay.server.queue.Outcomes;
import dev.mainstay.server.queue.PullRequestView;
import dev.mainstay.server.queue.TestRunView;
import dev.mainstay.server.queue.TestRuns;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds out all that is told of a pull request. */
final class Standings {
  private final Database database;
  private final TestRuns runs;
  private final Clock clock;
  private final URI publicUrl;

  Standings(Database database, Clock clock, TestRuns runs, URI publicUrl) {
    this.database = database;
    this.runs = runs;
    this.clock = clock;
    this.publicUrl = publicUrl;
  }

  /** Empty where the queue is gone. */
  Optional<Standing> of(OpenQueue queue, PullRequestView pr) {
    return database
        .query(handle -> QueueStore.named(handle, queue.id()))
        .map(named -> of(named, pr));
  }

  private Standing of(QueueStore.Named named, PullRequestView pr) {
    boolean failed =
        pr.state() == PullRequestState.FAILED || pr.state() == PullRequestState.PENDING_FAILURE;
    Optional<TestRunView> run =
        failed ? pr.testRunId().flatMap(id -> run(named.name(), id)) : Optional.empty();
    List<FailedTest> tests =
        run.map(r -> runs.log(named.name(), r).failedTests()).orElse(List.of());
    return new Standing(
        pr,
        named.name().branch(),
        expected(pr),
        run,
        tests.stream().filter(test -> !test.quarantined()).toList(),
        page(named, pr.number()));
  }

  /** Nothing is said where it takes longer than it should. */
  private Optional<PullRequestView.Expected> expected(PullRequestView pr) {
    boolean waits =
        pr.state() == PullRequestState.PENDING || pr.state() == PullRequestState.TESTING;
    return pr.expected().filter(e -> waits && e.late().isAfter(clock.instant()));
  }

  private Optional<TestRunView> run(QueueName name, String id) {
    return switch (runs.testingDetails(name, Optional.of(id), Optional.empty())) {
      case Outcomes.RunsFound(List<TestRunView> found) -> found.stream().findFirst();
      case Outcomes.NoSuchQueue() -> Optional.empty();
      case Outcomes.NeverSubmitted() -> Optional.empty();
      case Outcomes.NoSuchRun() -> Optional.empty();
    };
  }

  private String page(QueueStore.Named named, int number) {
    var repo = named.name().repo();
    String path =
        Arrays.stream((repo.host() + "/" + repo.owner() + "/" + repo.name()).split("/", -1))
            .map(Standings::encoded)
            .collect(Collectors.joining("/"));
    return "%s/%s/%s/queues/%s/pulls/%d"
        .formatted(publicUrl, named.organization(), path, encoded(named.name().branch()), number);
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
