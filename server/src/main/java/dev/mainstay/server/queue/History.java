package dev.mainstay.server.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.rules.Places;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.TestRunView.TestedPullRequest;
import dev.mainstay.server.queue.run.ByVersion;
import dev.mainstay.server.queue.store.Caption;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.StoredJson;
import dev.mainstay.server.queue.store.StoryStore;
import dev.mainstay.server.queue.store.TargetSetStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Entries and runs, also those that have ended, read from the rows that were written with each
 * event.
 */
public final class History {
  private static final Pattern CURSOR =
      Pattern.compile("([1-9][0-9]{0,17})(?:-([1-9][0-9]{0,17}))?");

  private final Database database;
  private final ByVersion<Places> places = new ByVersion<>(queue -> new Places(queue.state()));

  private final ByVersion<Views.Future> futures =
      new ByVersion<>(queue -> Views.Future.of(queue.state()));

  public History(Database database) {
    this.database = database;
  }

  /** The newest entry of a pull request, open or ended. */
  public Optional<PullRequestView> newest(OpenQueue queue, PullRequestRef pr) {
    Optional<Entry> open = queue.state().entry(pr);
    if (open.isPresent()) {
      return Optional.of(view(queue, open.get()));
    }
    return database.query(
        handle ->
            PullRequestStore.newest(handle, queue.id(), pr)
                .map(row -> Views.of(queue, row, entry(handle, queue, row))));
  }

  /** An entry that was submitted just now, when nobody has yet asked for when it will merge. */
  Optional<PullRequestView> submitted(OpenQueue queue, PullRequestRef pr) {
    Optional<Entry> open = queue.state().entry(pr);
    return open.isPresent()
        ? Optional.of(
            Views.of(queue, open.get(), () -> places.of(queue), Views.Future.untold(queue.state())))
        : newest(queue, pr);
  }

  private PullRequestView view(OpenQueue queue, Entry open) {
    return Views.of(queue, open, () -> places.of(queue), futures.of(queue));
  }

  private static Entry entry(Handle handle, OpenQueue queue, PullRequestStore.Row row) {
    return StoredJson.entry(row.content(), TargetSetStore.reader(handle, queue.id()));
  }

  /** A page of entries. A cursor names the last entry that was shown, and when it ended. */
  Outcomes.ListHistory page(
      OpenQueue queue, PullRequestStore.Wanted wanted, Optional<String> cursor, int take) {
    Optional<PullRequestStore.Before> before =
        cursor.map(History::before).orElse(Optional.of(PullRequestStore.Before.ALL));
    if (before.isEmpty()) {
      return new Outcomes.BadCursor();
    }
    return database.query(
        handle -> {
          List<PullRequestStore.Row> rows =
              PullRequestStore.page(handle, queue.id(), wanted, before.get(), take + 1);
          List<PullRequestStore.Row> page = rows.subList(0, Math.min(take, rows.size()));
          return new Outcomes.Page(
              page.stream().map(row -> view(handle, queue, row)).toList(),
              rows.size() > take ? Optional.of(cursor(page.getLast())) : Optional.empty());
        });
  }

  private static String cursor(PullRequestStore.Row last) {
    return last.endedAt()
        .map(at -> last.entry() + "-" + ChronoUnit.MICROS.between(Instant.EPOCH, at))
        .orElse(String.valueOf(last.entry()));
  }

  private static Optional<PullRequestStore.Before> before(String cursor) {
    Matcher parts = CURSOR.matcher(cursor);
    if (!parts.matches()) {
      return Optional.empty();
    }
    Instant endedAt =
        Optional.ofNullable(parts.group(2))
            .map(micros -> Instant.EPOCH.plus(Long.parseLong(micros), ChronoUnit.MICROS))
            .orElse(PullRequestStore.Before.ALL.endedAt());
    return Optional.of(new PullRequestStore.Before(endedAt, Long.parseLong(parts.group(1))));
  }

  private PullRequestView view(Handle handle, OpenQueue queue, PullRequestStore.Row row) {
    return queue
        .state()
        .entry(new PullRequestRef(row.number()))
        .filter(e -> e.id().number() == row.entry())
        .map(e -> view(queue, e))
        .orElseGet(() -> Views.of(queue, row, entry(handle, queue, row)));
  }

  /** The whole story of a pull request; empty where it was never submitted. */
  Optional<PullRequestStory> story(OpenQueue queue, PullRequestRef pr) {
    return database.query(
        handle -> {
          List<PullRequestStore.Row> rows =
              PullRequestStore.newest(handle, queue.id(), pr, PullRequestStory.MOST_SUBMISSIONS);
          if (rows.isEmpty()) {
            return Optional.empty();
          }
          Map<Long, List<StoryStore.Move>> moves =
              StoryStore.moves(
                  handle,
                  queue.id(),
                  rows.stream().map(PullRequestStore.Row::entry).toList(),
                  PullRequestStory.MOST_MOVES);
          PullRequestStore.Row newest = rows.getFirst();
          return Optional.of(
              new PullRequestStory(
                  view(handle, queue, newest),
                  entry(handle, queue, newest).knownTargets(),
                  rows.stream()
                      .map(
                          row -> submission(queue, row, moves.getOrDefault(row.entry(), List.of())))
                      .toList()));
        });
  }

  private static PullRequestStory.Submission submission(
      OpenQueue queue, PullRequestStore.Row row, List<StoryStore.Move> moves) {
    return new PullRequestStory.Submission(
        queue.publicId(row.entry()),
        row.submittedAt(),
        row.endedAt(),
        row.state(),
        row.reason(),
        moves.stream()
            .map(
                m ->
                    new PullRequestStory.Move(
                        m.at(), m.state(), m.reason(), m.run().map(queue::publicId)))
            .toList(),
        moves.stream().flatMap(m -> m.run().stream()).distinct().map(queue::publicId).toList());
  }

  Outcomes.Testing runs(OpenQueue queue, Optional<String> testRunId, Optional<PullRequestRef> pr) {
    if (testRunId.isPresent()) {
      return one(queue, queue.runId(testRunId.get()));
    }
    if (pr.isPresent()) {
      Optional<PullRequestView> view = newest(queue, pr.get());
      if (view.isEmpty()) {
        return new Outcomes.NeverSubmitted();
      }
      Stream<RunId> own = view.get().testRunId().flatMap(queue::runId).stream();
      return new Outcomes.RunsFound(found(queue, Stream.concat(own, guesses(queue, pr.get()))));
    }
    return new Outcomes.RunsFound(
        database.query(
            handle -> views(handle, queue, TestRunStore.inProgress(handle, queue.id()))));
  }

  private Outcomes.Testing one(OpenQueue queue, Optional<RunId> run) {
    List<TestRunView> found = found(queue, run.stream());
    return found.isEmpty() ? new Outcomes.NoSuchRun() : new Outcomes.RunsFound(found);
  }

  /** The runs of an open pull request beside its own. */
  private static Stream<RunId> guesses(OpenQueue queue, PullRequestRef pr) {
    return queue.state().groupOf(pr).stream().flatMap(g -> g.guesses().stream()).map(Run::id);
  }

  private List<TestRunView> found(OpenQueue queue, Stream<RunId> runs) {
    return database.query(
        handle ->
            views(
                handle,
                queue,
                runs.flatMap(run -> TestRunStore.find(handle, queue.id(), run).stream()).toList()));
  }

  private static List<TestRunView> views(
      Handle handle, OpenQueue queue, List<TestRunStore.Row> rows) {
    Map<RunId, List<TestRunStore.Check>> checks =
        TestRunStore.checks(handle, queue.id(), rows.stream().map(TestRunStore.Row::run).toList());
    return rows.stream()
        .map(row -> view(handle, queue, row, checks.getOrDefault(row.run(), List.of())))
        .toList();
  }

  private static TestRunView view(
      Handle handle, OpenQueue queue, TestRunStore.Row row, List<TestRunStore.Check> checks) {
    Function<Change, TestedPullRequest> tested =
        change -> {
          Caption about = about(handle, queue, change.pr());
          return new TestedPullRequest(change.pr().number(), about.url(), about.title());
        };
    return new TestRunView(
        queue.publicId(row.run().number()),
        row.status(),
        row.kind(),
        row.branch(),
        row.sha(),
        row.base(),
        row.createdAt(),
        row.endedAt(),
        row.outcome(),
        row.requiredStatuses(),
        row.requiredBy(),
        queue
            .state()
            .groupOf(row.run())
            .flatMap(g -> g.run(row.run()))
            .map(Awaited::of)
            .orElse(List.of()),
        checks,
        row.tested().stream().map(tested).toList(),
        row.standsOn().stream().map(tested).toList(),
        row.leavesOut().stream().map(PullRequestRef::number).toList(),
        StoredJson.targets(row.targets(), TargetSetStore.reader(handle, queue.id())));
  }

  private static Caption about(Handle handle, OpenQueue queue, PullRequestRef pr) {
    return queue.state().entry(pr).isPresent()
        ? queue.beside(pr).about()
        : PullRequestStore.newest(handle, queue.id(), pr)
            .map(row -> row.beside().about())
            .orElse(Caption.NOTHING);
  }

  /** What a command printed: all of it, or so far. */
  Optional<RunLog> output(OpenQueue queue, String testRunId) {
    return queue.runId(testRunId).flatMap(run -> database.query(h -> output(h, queue.id(), run)));
  }

  private static Optional<RunLog> output(Handle handle, long queueId, RunId run) {
    return TestRunStore.output(handle, queueId, run)
        .map(text -> new RunLog(text, true, List.of()))
        .or(
            () ->
                TestCommandStore.output(handle, queueId, run)
                    .map(text -> new RunLog(text, false, List.of())));
  }
}
