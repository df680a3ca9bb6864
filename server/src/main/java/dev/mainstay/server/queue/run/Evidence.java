package dev.mainstay.server.queue.run;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunResults;
import dev.mainstay.server.queue.store.OpenQueue;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What test health knows of runs that failed. It is asked before a queue is told of the failure,
 * outside any transaction, and its answer is told first, as an event. Where nobody sends results of
 * a queue's runs, there is no such event, and the queue behaves as if there were no test health.
 */
public final class Evidence {
  /** CI mostly sends results before it reports a status; those that come later are waited for. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Asks test health. */
  public interface Source {
    Found find(Question question);
  }

  /**
   * What failed in results of a branch at a commit, whether results came lately of branches whose
   * names begin with {@code prefix}, and what failed on the target branch at the base of the run.
   */
  public record Question(
      long repositoryId,
      String branch,
      String commit,
      String prefix,
      String target,
      Optional<String> base) {}

  /** The answer: {@code sent} says that there are results, {@code usual} that others had some. */
  public record Found(boolean sent, boolean usual, List<FailingTest> failed) {
    public static final Found NOTHING = new Found(false, false, List.of());

    public Found {
      failed = List.copyOf(failed);
    }
  }

  private final Source source;
  private final Clock clock;

  Evidence(Source source, Clock clock) {
    this.source = source;
    this.clock = clock;
  }

  /**
   * A status as it is told to a queue: where it fails a run in progress, what is known of that
   * comes first. {@code told} is the commit of the test branch where the queue has yet to hear of
   * it.
   */
  public List<QueueEvent> with(
      OpenQueue queue, Optional<CommitSha> told, QueueEvent.StatusReported status) {
    var events = new ArrayList<QueueEvent>();
    if (status.state() == CheckState.FAILURE) {
      run(queue, status.run())
          .filter(run -> run.isInProgress() && run.requiredStatuses().contains(status.name()))
          .flatMap(run -> run.commit().or(() -> told))
          .ifPresent(commit -> events.addAll(before(queue, status.run(), commit)));
    }
    events.add(status);
    return events;
  }

  private List<QueueEvent> before(OpenQueue queue, RunId run, CommitSha commit) {
    Found found = find(queue, run, commit);
    if (found.sent()) {
      return List.of(failed(run, found));
    }
    return found.usual()
        ? List.of(new QueueEvent.ResultsExpected(run, clock.instant().plus(PATIENCE)))
        : List.of();
  }

  /** The events that end the wait for results, of runs for which they are there. */
  public List<QueueEvent> awaited(OpenQueue queue) {
    return runs(queue)
        .filter(run -> run.failed() && run.results().flatMap(RunResults::awaitedUntil).isPresent())
        .<QueueEvent>flatMap(
            run ->
                run
                    .commit()
                    .map(commit -> find(queue, run.id(), commit))
                    .filter(Found::sent)
                    .map(found -> failed(run.id(), found))
                    .stream())
        .toList();
  }

  private Found find(OpenQueue queue, RunId run, CommitSha commit) {
    String branch = queue.testBranch(run);
    return source.find(
        new Question(
            queue.repositoryId(),
            branch,
            commit.value(),
            branch.substring(0, branch.lastIndexOf('-') + 1),
            queue.state().target().branch(),
            run(queue, run).map(r -> r.base().value())));
  }

  /** Those first that are not known to be flaky. */
  private static QueueEvent failed(RunId run, Found found) {
    List<FailingTest> some =
        found.failed().stream()
            .sorted(Comparator.comparing(FailingTest::isFlaky))
            .limit(RunResults.MOST)
            .toList();
    return new QueueEvent.TestsFailed(run, found.failed().size(), some);
  }

  private static Optional<Run> run(OpenQueue queue, RunId id) {
    return queue.state().groupOf(id).flatMap(g -> g.run(id));
  }

  private static Stream<Run> runs(OpenQueue queue) {
    return queue.state().groups().flatMap(g -> g.runs().stream());
  }
}
