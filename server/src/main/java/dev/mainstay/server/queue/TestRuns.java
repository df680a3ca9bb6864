package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.KeyedRun;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.RunKey;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** Test runs of queues: the questions of users, and the reports of CI systems. */
public final class TestRuns {
  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;
  private final History history;
  private final FailedTest.Finder failedTests;

  TestRuns(
      Database database,
      Clock clock,
      QueueRunner runner,
      Forges forges,
      History history,
      FailedTest.Finder failedTests) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.history = history;
    this.failedTests = failedTests;
  }

  /** Runs in progress; with an id, that run, also when it is over; with a number, its last run. */
  public Outcomes.Testing testingDetails(
      QueueName name, Optional<String> testRunId, Optional<PullRequestRef> pr) {
    Optional<OpenQueue> queue = runner.find(name);
    return queue.isEmpty() ? new Outcomes.NoSuchQueue() : history.runs(queue.get(), testRunId, pr);
  }

  /**
   * The output of the test command of a run, so far where it is running; of a long one its
   * beginning and its end. Empty where no command has printed anything.
   */
  public Optional<RunLog> testOutput(QueueName name, String testRunId) {
    return runner.find(name).flatMap(queue -> history.output(queue, testRunId));
  }

  /** The output of a run, if any, and the tests that failed in its results. */
  public RunLog log(QueueName name, TestRunView run) {
    Optional<RunLog> output = testOutput(name, run.id());
    boolean over = run.status() != TestRunStore.Status.IN_PROGRESS;
    List<FailedTest> failed =
        runner
            .find(name)
            .flatMap(
                queue ->
                    run.testBranchSha()
                        .map(sha -> failedTests.find(queue.repositoryId(), run.testBranch(), sha)))
            .orElse(List.of());
    return new RunLog(
        output.map(RunLog::output).orElse(""), output.map(RunLog::complete).orElse(over), failed);
  }

  /** The test command that a key belongs to, while it runs. */
  public Optional<KeyedRun> keyed(String token) {
    return RunKey.isOne(token)
        ? database.query(h -> TestCommandStore.keyed(h, new RunKey(token), clock.instant()))
        : Optional.empty();
  }

  public Outcomes.Report reportTestStatus(
      QueueName name, String testRunId, String check, CheckState state, Optional<String> url) {
    return report(
        runner.find(name), queue -> queue.runId(testRunId).map(TestRuns::known), check, state, url);
  }

  public Outcomes.Report reportTestStatus(
      QueueName name,
      CommitSha testBranchSha,
      String check,
      CheckState state,
      Optional<String> url) {
    Optional<OpenQueue> seen =
        runner.lastSeen(name).filter(q -> q.state().runOn(testBranchSha).isPresent());
    return report(
        seen.or(() -> runner.find(name)),
        queue ->
            tested(queue, testBranchSha)
                .map(TestRuns::known)
                .or(() -> pushed(queue, testBranchSha)),
        check,
        state,
        url);
  }

  /** A run that is reported on, and its commit where the queue has yet to hear of that. */
  private record Told(RunId run, Optional<CommitSha> commit) {
    List<QueueEvent> before() {
      return commit.<QueueEvent>map(c -> new QueueEvent.TestBranchBuilt(run, c)).stream().toList();
    }
  }

  private static Told known(RunId run) {
    return new Told(run, Optional.empty());
  }

  private Optional<RunId> tested(OpenQueue queue, CommitSha commit) {
    return queue
        .state()
        .runOn(commit)
        .map(Run::id)
        .or(() -> database.query(handle -> TestRunStore.onCommit(handle, queue.id(), commit)));
  }

  /**
   * CI may be faster than our own news of the push: then the test branch itself says whose it is.
   */
  private Optional<Told> pushed(OpenQueue queue, CommitSha commit) {
    List<RunId> unbuilt =
        queue
            .state()
            .groups()
            .flatMap(g -> g.runs().stream())
            .filter(run -> run.isInProgress() && run.commit().isEmpty())
            .map(Run::id)
            .toList();
    if (unbuilt.isEmpty()) {
      return Optional.empty();
    }
    Map<String, CommitSha> branches = forges.branches(queue.repositoryId()).orElse(Map.of());
    return unbuilt.stream()
        .filter(run -> commit.equals(branches.get(queue.testBranch(run))))
        .map(run -> new Told(run, Optional.of(commit)))
        .findFirst();
  }

  /** The queue may be as it was seen last: whether the run is there, the transaction says. */
  private Outcomes.Report report(
      Optional<OpenQueue> queue,
      Function<OpenQueue, Optional<Told>> run,
      String check,
      CheckState state,
      Optional<String> url) {
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    Instant now = clock.instant();
    var found = new AtomicReference<>(Optional.<RunId>empty());
    Optional<Told> told = run.apply(queue.get());
    if (told.isEmpty()) {
      return new Outcomes.NoSuchRun();
    }
    RunId wanted = told.get().run();
    var events = new ArrayList<>(told.get().before());
    var status = new QueueEvent.StatusReported(wanted, check, state);
    events.addAll(runner.evidence().with(queue.get(), told.get().commit(), status));
    Optional<Proposal.Accepted> accepted =
        runner.accept(
            queue.get().id(),
            Proposal.of(before -> events)
                .also(
                    handle -> {
                      found.set(
                          TestRunStore.find(handle, queue.get().id(), wanted)
                              .map(TestRunStore.Row::run));
                      found
                          .get()
                          .ifPresent(
                              r ->
                                  TestRunStore.check(
                                      handle, queue.get().id(), r, check, state, url, now));
                    }));
    if (accepted.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    return found.get().isPresent() ? new Outcomes.Reported() : new Outcomes.NoSuchRun();
  }
}
