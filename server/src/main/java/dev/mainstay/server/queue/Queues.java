package dev.mainstay.server.queue;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.connection.HookStore;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.queue.run.ByVersion;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueFacts;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.EventStore;
import dev.mainstay.server.queue.store.LeftBranchStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestRunStore;
import dev.mainstay.server.queue.whatif.WhatIfs;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * Merge queues: create, show, update, delete, measure. Answers are in {@link Outcomes} and the
 * views.
 */
public final class Queues {
  private static final String SLUG_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789";
  private static final int SLUG_LENGTH = 9;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final Database database;
  private final Clock clock;
  private final QueueRunner runner;
  private final Forges forges;
  private final Connections connections;
  private final PullRequests pullRequests;
  private final ForkTargets forkTargets;
  private final TestRuns testRuns;
  private final HeadReports headReports;
  private final Measures measures;
  private final WhatIfs whatIfs;
  private final ByVersion<QueueView> views = new ByVersion<>(Views::of);

  Queues(
      Database database,
      Clock clock,
      QueueRunner runner,
      Forges forges,
      Connections connections,
      FailedTest.Finder failedTests) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.connections = connections;
    var history = new History(database);
    this.pullRequests = new PullRequests(database, clock, runner, forges, history);
    this.forkTargets = new ForkTargets(database, clock, forges, pullRequests);
    this.testRuns = new TestRuns(database, clock, runner, forges, history, failedTests);
    this.headReports = new HeadReports(database, clock, runner);
    this.measures = new Measures(database, clock, runner, forges);
    this.whatIfs = new WhatIfs(database, clock, runner);
  }

  public PullRequests pullRequests() {
    return pullRequests;
  }

  public ForkTargets forkTargets() {
    return forkTargets;
  }

  public TestRuns testRuns() {
    return testRuns;
  }

  public HeadReports headReports() {
    return headReports;
  }

  /** What other settings would have made of the past. */
  public WhatIfs whatIfs() {
    return whatIfs;
  }

  /** The connections of repositories to their forges. */
  public Connections connections() {
    return connections;
  }

  /** The settings of a new queue, before anybody has changed them. */
  public QueueSettings firstSettings(QueueName name) {
    boolean quietly = connections.checksInterfere(name.organizationId(), name.repo());
    return QueueSettings.defaults().edit().statusCheckEnabled(!quietly).build();
  }

  /** Makes a queue, and its repository where nothing is known of that yet. */
  public Outcomes.Create create(QueueName name, QueueSettings settings) {
    Instant now = clock.instant();
    Optional<QueueStore.Row> made =
        database.inTransaction(
            handle -> {
              Repository repository =
                  RepositoryStore.findOrCreate(handle, name.organizationId(), name.repo(), now);
              Connection connection =
                  ConnectionStore.find(handle, repository.id())
                      .map(how -> new Connection(true, List.of(), how.testCommand().isPresent()))
                      .orElse(Connection.NONE);
              QueueState state =
                  QueueState.empty(name.branch(), Optional.empty(), settings, connection);
              Optional<QueueStore.Row> row = begin(handle, repository.id(), state, now);
              HookStore.lookNow(handle, repository.id());
              return row;
            });
    made.ifPresent(this::lookForBranch);
    connections.look();
    return made.flatMap(row -> runner.find(name))
        .<Outcomes.Create>map(queue -> new Outcomes.Created(Views.untimed(queue)))
        .orElseGet(Outcomes.QueueExists::new);
  }

  /** A queue that was deleted goes on with its history, and with the numbers after its last. */
  private static Optional<QueueStore.Row> begin(
      Handle handle, long repositoryId, QueueState state, Instant now) {
    Optional<QueueStore.Row> deleted =
        QueueStore.lockDeleted(handle, repositoryId, state.target().branch());
    QueueState first =
        deleted
            .map(row -> state.numberedFrom(QueueStore.load(handle, row).state().lastId()))
            .orElse(state);
    Optional<QueueStore.Row> row =
        deleted.isPresent()
            ? deleted.map(d -> QueueStore.revive(handle, d, first))
            : QueueStore.insert(handle, repositoryId, slug(), first, now);
    row.ifPresent(r -> EventStore.begin(handle, r.id(), r.version(), first, now));
    row.ifPresent(
        r ->
            FactStore.insert(
                handle, repositoryId, List.of(QueueFacts.created(r.id(), first, now))));
    return row;
  }

  /** Whoever makes a queue is told at once where its branch is missing. */
  private void lookForBranch(QueueStore.Row row) {
    Optional<OpenQueue> queue = runner.current(row);
    queue
        .flatMap(q -> forges.branches(q.repositoryId()))
        .filter(branches -> !branches.containsKey(queue.orElseThrow().state().target().branch()))
        .ifPresent(b -> runner.accept(row.id(), new QueueEvent.TargetBranchSeen(false)));
  }

  private static String slug() {
    var slug = new StringBuilder();
    for (int i = 0; i < SLUG_LENGTH; i++) {
      slug.append(SLUG_LETTERS.charAt(RANDOM.nextInt(SLUG_LETTERS.length())));
    }
    return slug.toString();
  }

  /** The queue with its open entries. */
  public Optional<QueueView> find(QueueName name) {
    return runner.find(name).map(views::of);
  }

  /** A queue in a list, with the repository it is of. */
  public record Listed(RepoName repo, QueueView queue) {}

  /** A page of queues; {@code last} is the place of its last one, where more come after that. */
  public record ListedPage(List<Listed> queues, Optional<Place> last) {
    public ListedPage {
      queues = List.copyOf(queues);
    }
  }

  /** A place in the order of lists: the key of a repository, and a branch. */
  public record Place(String key, String branch) {}

  /**
   * At most {@code take} queues of an organization or of one repository after this place; empty
   * where that repository is not known.
   */
  public Optional<ListedPage> list(
      long organizationId, Optional<RepoName> repo, Place after, int take) {
    if (repo.isPresent()
        && database.query(h -> RepositoryStore.find(h, organizationId, repo.get())).isEmpty()) {
      return Optional.empty();
    }
    List<QueueStore.Listed> rows =
        database.query(
            h -> QueueStore.page(h, organizationId, repo, after.key(), after.branch(), take + 1));
    List<QueueStore.Listed> page = rows.subList(0, Math.min(take, rows.size()));
    return Optional.of(
        new ListedPage(
            page.stream().flatMap(this::listed).toList(),
            rows.size() > take
                ? Optional.of(new Place(page.getLast().repo().key(), page.getLast().branch()))
                : Optional.empty()));
  }

  private Stream<Listed> listed(QueueStore.Listed row) {
    return runner.current(row.row()).stream().map(queue -> new Listed(row.repo(), views.of(queue)));
  }

  /** A change of the settings as users know them, of a queue that is in this state. */
  public interface Edit {
    QueueSettings apply(QueueSettings wanted, QueueState state);
  }

  /**
   * Changes settings as the edit says, then the lifecycle. A lifecycle beside a mode that the queue
   * must drain for is not asked for: it would undo the switch. An exception of the edit is thrown
   * on, and nothing has changed then: {@link QueueSettings.InvalidSettings} above all.
   */
  public Outcomes.Update update(
      QueueName name,
      UnaryOperator<QueueSettings> edit,
      boolean namesMode,
      Optional<QueueLifecycle> lifecycle) {
    return update(name, (wanted, _) -> edit.apply(wanted), namesMode, lifecycle);
  }

  /** The same with an edit that looks at the queue. */
  public Outcomes.Update update(
      QueueName name, Edit edit, boolean namesMode, Optional<QueueLifecycle> lifecycle) {
    return runner
        .accept(name, Proposal.of(state -> changes(state, edit, namesMode, lifecycle)))
        .<Outcomes.Update>map(
            accepted -> new Outcomes.Updated(updated(Views.untimed(accepted.after()), lifecycle)))
        .orElseGet(Outcomes.NoSuchQueue::new);
  }

  private static QueueView updated(QueueView queue, Optional<QueueLifecycle> lifecycle) {
    boolean notPaused =
        lifecycle.equals(Optional.of(QueueLifecycle.PAUSED))
            && queue.state() == QueueLifecycle.SWITCHING_MODES;
    return notPaused
        ? queue.warning(
            "The queue is not paused, since it must drain to switch modes: ask for PAUSED alone to"
                + " give the switch up.")
        : queue;
  }

  private static List<QueueEvent> changes(
      QueueState state, Edit edit, boolean namesMode, Optional<QueueLifecycle> lifecycle) {
    QueueSettings next = edit.apply(wanted(state), state);
    boolean switches = next.mode() != state.settings().mode();
    boolean takesBack = !switches && state.switchingTo().isPresent();
    var events = new ArrayList<QueueEvent>();
    events.add(new QueueEvent.SettingsChanged(next));
    if (takesBack) {
      events.add(new QueueEvent.LifecycleRequested(lifecycle.orElse(QueueLifecycle.RUNNING)));
    } else if (!namesMode || !switches || state.isDrained()) {
      lifecycle.ifPresent(l -> events.add(new QueueEvent.LifecycleRequested(l)));
    }
    return events;
  }

  /** The settings as users know them: a mode that is being switched to is the one they set. */
  private static QueueSettings wanted(QueueState state) {
    return state.switchingTo().isPresent()
        ? state.settings().edit().mode(state.switchingTo().get()).build()
        : state.settings();
  }

  public Outcomes.Delete delete(QueueName name) {
    Optional<QueueStore.Row> found = database.query(handle -> QueueStore.find(handle, name));
    if (found.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    return database.inTransaction(
        handle -> {
          Optional<QueueStore.Row> row = QueueStore.lock(handle, found.get().id());
          if (row.isEmpty()) {
            return new Outcomes.NoSuchQueue();
          }
          OpenQueue queue = QueueStore.load(handle, row.get());
          if (!queue.state().entries().isEmpty()) {
            return new Outcomes.NotEmpty(Views.untimed(queue).pullRequests());
          }
          LeftBranchStore.insert(
              handle,
              queue.repositoryId(),
              TestRunStore.branches(handle, queue.id()),
              clock.instant());
          TestRunStore.leaveBranches(handle, queue.id());
          TestCommandStore.deleteAll(handle, queue.id());
          ActionStore.deleteAll(handle, queue.id());
          EventStore.deleteAll(handle, queue.id());
          QueueStore.delete(handle, queue.id(), clock.instant());
          FactStore.insert(
              handle,
              queue.repositoryId(),
              List.of(QueueFacts.deleted(queue.id(), queue.state(), clock.instant())));
          return new Outcomes.Deleted();
        });
  }

  /**
   * The numbers of all queues of an organization or of one repository; empty where that is not
   * known.
   */
  public Optional<List<QueueNumbers>> numbers(long organizationId, Optional<RepoName> repo) {
    return measures.of(organizationId, repo);
  }

  /** How a queue has done over a time; without one, in the last seven days. */
  public Outcomes.Health health(
      QueueName name, Optional<Instant> from, Optional<Instant> to, HealthWindow.Step step) {
    return measures.health(name, from, to, step);
  }

  public List<ClockNumbers> clocks() {
    return measures.clocks();
  }
}
