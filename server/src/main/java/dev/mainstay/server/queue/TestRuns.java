package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.platform.Database;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** What users ask about test runs, and what CI systems tell of them. */
public final class TestRuns {
  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final History history;

  TestRuns(Database database, Clock clock, QueueRunner runner, History history) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.history = history;
  }

  /** Runs in progress; with an id, that run, also when it is over; with a number, its last run. */
  public Outcomes.Testing testingDetails(
      QueueName name, Optional<String> testRunId, Optional<PullRequestRef> pr) {
    Optional<OpenQueue> queue = runner.find(name);
    return queue.isEmpty() ? new Outcomes.NoSuchQueue() : history.runs(queue.get(), testRunId, pr);
  }

  /** What the test command of a run printed, the last of it; empty where none has run. */
  public Optional<String> testOutput(QueueName name, String testRunId) {
    return runner.find(name).flatMap(queue -> history.output(queue, testRunId));
  }

  public Outcomes.Report reportTestStatus(
      QueueName name, String testRunId, String check, CheckState state, Optional<String> url) {
    return report(name, queue -> queue.runId(testRunId), check, state, url);
  }

  public Outcomes.Report reportTestStatus(
      QueueName name,
      CommitSha testBranchSha,
      String check,
      CheckState state,
      Optional<String> url) {
    return report(
        name,
        queue ->
            queue
                .state()
                .runOn(testBranchSha)
                .map(run -> run.id())
                .or(
                    () ->
                        database.query(
                            handle -> TestRunStore.onCommit(handle, queue.id(), testBranchSha))),
        check,
        state,
        url);
  }

  private Outcomes.Report report(
      QueueName name,
      Function<OpenQueue, Optional<RunId>> run,
      String check,
      CheckState state,
      Optional<String> url) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    Instant now = clock.instant();
    var found = new AtomicReference<>(Optional.<RunId>empty());
    Optional<RunId> wanted = run.apply(queue.get());
    if (wanted.isEmpty()) {
      return new Outcomes.NoSuchRun();
    }
    Optional<Request.Accepted> accepted =
        runner.accept(
            queue.get().id(),
            Request.of(new QueueEvent.StatusReported(wanted.get(), check, state))
                .also(
                    handle -> {
                      found.set(
                          TestRunStore.find(handle, queue.get().id(), wanted.get())
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
