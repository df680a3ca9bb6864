package dev.mainstay.server.queue;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.node.NodeClock;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.QueueNumbers.Conclusion;
import dev.mainstay.server.queue.QueueNumbers.Histogram;
import dev.mainstay.server.queue.QueueNumbers.Side;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Counts the open entries and runs of queues, and what ended in the last hour or over a time. */
final class Measures {
  private static final Duration WINDOW = Duration.ofHours(1);

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;

  Measures(Database database, Clock clock, QueueRunner runner, Forges forges) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
  }

  Optional<List<QueueNumbers>> of(long organizationId, Optional<RepoName> repo) {
    Optional<Repository> repository =
        repo.flatMap(name -> database.query(h -> RepositoryStore.find(h, organizationId, name)));
    if (repo.isPresent() && repository.isEmpty()) {
      return Optional.empty();
    }
    List<QueueStore.Row> rows =
        database.query(
            handle ->
                repository
                    .map(r -> QueueStore.ofRepository(handle, r.id()))
                    .orElseGet(() -> QueueStore.ofOrganization(handle, organizationId)));
    return Optional.of(
        rows.stream().flatMap(row -> runner.current(row).stream()).map(this::of).toList());
  }

  /** The clocks that this node compares its own time with. */
  List<ClockNumbers> clocks() {
    return clock instanceof NodeClock own
        ? own.seen().stream().map(ClockNumbers::of).toList()
        : List.of();
  }

  private QueueNumbers of(OpenQueue queue) {
    Optional<HostUsage> usage = forges.of(queue.repositoryId()).flatMap(c -> c.forge().usage());
    Instant since = clock.instant().minus(WINDOW);
    return database.query(
        handle -> {
          RepoName repo = RepositoryStore.find(handle, queue.repositoryId()).orElseThrow().name();
          List<PullRequestStore.Ended> ended =
              PullRequestStore.endedSince(handle, queue.id(), since);
          QueueState state = queue.state();
          int aside = state.side().stream().mapToInt(g -> g.members().size()).sum();
          int notReady = (int) count(state, PullRequestState.NOT_READY);
          int inQueue = state.entries().size() - notReady - aside;
          return new QueueNumbers(
              repo,
              state.target().branch(),
              side(
                  inQueue,
                  notReady,
                  state.line(),
                  ended.stream().filter(e -> !e.bisected()).toList(),
                  PullRequestStore.restartsSince(handle, queue.id(), since, false)),
              side(
                  aside,
                  0,
                  state.side(),
                  ended.stream().filter(PullRequestStore.Ended::bisected).toList(),
                  PullRequestStore.restartsSince(handle, queue.id(), since, true)),
              state.target().alarm().isPresent(),
              state.progress().stall().isPresent(),
              usage);
        });
  }

  Outcomes.Health health(
      QueueName name, Optional<Instant> from, Optional<Instant> to, HealthWindow.Step step) {
    Optional<HealthWindow> window = HealthWindow.of(from, to, step, clock.instant());
    if (window.isEmpty()) {
      return new Outcomes.BadWindow(HealthWindow.MOST_STEPS);
    }
    return runner
        .find(name)
        .<Outcomes.Health>map(queue -> new Outcomes.HealthShown(health(queue, window.get())))
        .orElseGet(Outcomes.NoSuchQueue::new);
  }

  private QueueHealth health(OpenQueue queue, HealthWindow window) {
    int slots = queue.state().settings().concurrency();
    return database.query(h -> new HealthChart(h, queue.id(), window, slots).drawn());
  }

  private static long count(QueueState state, PullRequestState wanted) {
    return state.entries().values().stream().filter((Entry e) -> e.is(wanted)).count();
  }

  private static Side side(
      int depth,
      int awaiting,
      List<Group> groups,
      List<PullRequestStore.Ended> ended,
      int restarts) {
    var conclusions = new EnumMap<Conclusion, Integer>(Conclusion.class);
    for (Conclusion conclusion : Conclusion.values()) {
      conclusions.put(conclusion, 0);
    }
    ended.forEach(e -> conclusions.merge(Conclusion.valueOf(e.state().name()), 1, Integer::sum));
    return new Side(
        depth,
        awaiting,
        (int) groups.stream().filter(Group::isTesting).count(),
        conclusions,
        restarts,
        histogram(ended, PullRequestStore.Ended::pending),
        histogram(ended, PullRequestStore.Ended::testing),
        histogram(ended, PullRequestStore.Ended::inQueue));
  }

  private static Histogram histogram(
      List<PullRequestStore.Ended> ended, ToDoubleFunction<PullRequestStore.Ended> seconds) {
    var counts = new ArrayList<Integer>();
    for (int bound : Histogram.BOUNDS) {
      counts.add((int) ended.stream().filter(e -> seconds.applyAsDouble(e) <= bound).count());
    }
    return new Histogram(counts, ended.stream().mapToDouble(seconds).sum(), ended.size());
  }
}
