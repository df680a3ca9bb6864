package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.repository.Repository;
import dev.mainstay.server.repository.RepositoryStore;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Everything users do with merge queues. What may come of it is in {@link Outcomes}; how it looks
 * in the views. The forge is never asked inside a transaction.
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
  private final History history;
  private final Measures measures;
  private final ByVersion<QueueView> views = new ByVersion<>(Views::of);

  Queues(
      Database database, Clock clock, QueueRunner runner, Forges forges, Connections connections) {
    this.database = database;
    this.clock = clock;
    this.runner = runner;
    this.forges = forges;
    this.connections = connections;
    this.history = new History(database);
    this.measures = new Measures(database, clock, runner);
  }

  /** Makes a queue, and its repository where that is the first word of it. */
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
              Optional<QueueStore.Row> row =
                  QueueStore.insert(handle, repository.id(), slug(), state, now);
              row.ifPresent(r -> EventStore.begin(handle, r.id(), state, now));
              ConnectionStore.lookNow(handle, repository.id(), now);
              return row;
            });
    connections.look();
    return made.flatMap(runner::current)
        .<Outcomes.Create>map(queue -> new Outcomes.Created(Views.of(queue)))
        .orElseGet(Outcomes.QueueExists::new);
  }

  private static String slug() {
    var slug = new StringBuilder();
    for (int i = 0; i < SLUG_LENGTH; i++) {
      slug.append(SLUG_LETTERS.charAt(RANDOM.nextInt(SLUG_LETTERS.length())));
    }
    return slug.toString();
  }

  /** The queue with everybody in it. */
  public Optional<QueueView> find(QueueName name) {
    return runner.find(name).map(views::of);
  }

  /**
   * Changes settings as the edit says, then the lifecycle. What the edit throws is thrown on, and
   * nothing has changed then: {@link QueueSettings.InvalidSettings} above all.
   */
  public Outcomes.Update update(
      QueueName name, UnaryOperator<QueueSettings> edit, Optional<QueueLifecycle> lifecycle) {
    return accept(
            name,
            Request.of(
                state -> {
                  var events = new ArrayList<QueueEvent>();
                  events.add(new QueueEvent.SettingsChanged(edit.apply(wanted(state))));
                  lifecycle.ifPresent(l -> events.add(new QueueEvent.LifecycleRequested(l)));
                  return events;
                }))
        .<Outcomes.Update>map(accepted -> new Outcomes.Updated(Views.of(accepted.after())))
        .orElseGet(Outcomes.NoSuchQueue::new);
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
            return new Outcomes.NotEmpty(Views.of(queue).pullRequests());
          }
          LeftBranchStore.insert(
              handle,
              queue.repositoryId(),
              TestRunStore.branches(handle, queue.id()),
              clock.instant());
          QueueStore.delete(handle, queue.id());
          return new Outcomes.Deleted();
        });
  }

  /** No priority is the default one, or the one it has where it is in the queue already. */
  public Outcomes.Submit submit(
      QueueName name, PullRequestRef pr, Optional<Priority> priority, Optional<Boolean> noBatch) {
    return runner
        .lastSeen(name)
        .flatMap(queue -> submit(queue, pr, priority, noBatch))
        .or(() -> runner.find(name).flatMap(queue -> submit(queue, pr, priority, noBatch)))
        .orElseGet(Outcomes.NoSuchQueue::new);
  }

  /** Empty where the queue is gone. The forge need not be asked about one that was let in. */
  private Optional<Outcomes.Submit> submit(
      OpenQueue queue, PullRequestRef pr, Optional<Priority> priority, Optional<Boolean> noBatch) {
    boolean isIn =
        queue.state().entry(pr).filter(e -> !e.is(PullRequestState.NOT_READY)).isPresent();
    if (isIn || !queue.state().connection().connected()) {
      return submit(queue, pr, priority, noBatch, Optional.empty(), Optional.empty());
    }
    Instant asOf = clock.instant();
    Shown shown = show(queue, pr);
    return shown.isMissing()
        ? Optional.of(new Outcomes.NoSuchPullRequest())
        : submit(
            queue,
            pr,
            priority,
            noBatch,
            shown.view().map(view -> Snapshots.of(view, asOf)),
            shown.view().map(Snapshots::about));
  }

  private Optional<Outcomes.Submit> submit(
      OpenQueue queue,
      PullRequestRef pr,
      Optional<Priority> priority,
      Optional<Boolean> noBatch,
      Optional<PullRequestSnapshot> snapshot,
      Optional<About> about) {
    Optional<ImpactedTargets> targets =
        snapshot.flatMap(
            s -> database.query(handle -> TargetStore.find(handle, queue.id(), pr, s.head())));
    Function<QueueState, List<QueueEvent>> event =
        state -> {
          Optional<Entry> open = state.entry(pr);
          return List.of(
              new QueueEvent.Submitted(
                  pr,
                  priority.or(() -> open.map(Entry::priority)).orElse(Priority.DEFAULT),
                  noBatch.or(() -> open.map(Entry::noBatch)).orElse(false),
                  snapshot,
                  targets));
        };
    return runner
        .accept(
            queue.id(),
            Request.of(event)
                .learning(
                    pr,
                    known ->
                        new OpenQueue.Beside(
                            about.orElse(known.about()),
                            priority.isEmpty() && known.usedDefaultPriority())))
        .flatMap(accepted -> history.newest(accepted.committed(), pr))
        .map(Outcomes.Submitted::new);
  }

  /** What the forge said: that there is none, or how it is, or nothing at all. */
  private record Shown(boolean answered, Optional<Forge.PullRequestView> view) {
    boolean isMissing() {
      return answered && view.isEmpty();
    }
  }

  private Shown show(OpenQueue queue, PullRequestRef pr) {
    Optional<Forges.Connected> connected = forges.of(queue.repositoryId());
    if (connected.isEmpty()) {
      return new Shown(false, Optional.empty());
    }
    try {
      return new Shown(
          true, connected.get().forge().pullRequest(pr, queue.state().target().branch()));
    } catch (ForgeUnavailable e) {
      return new Shown(false, Optional.empty());
    }
  }

  public Outcomes.Cancel cancel(QueueName name, PullRequestRef pr) {
    Optional<Request.Accepted> accepted =
        accept(
            name,
            Request.of(
                state ->
                    state.entry(pr).isPresent()
                        ? List.of(new QueueEvent.Cancelled(pr))
                        : List.of()));
    if (accepted.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    boolean wasOpen = accepted.get().before().state().entry(pr).isPresent();
    return history
        .newest(accepted.get().after(), pr)
        .<Outcomes.Cancel>map(
            view ->
                wasOpen || view.state() == PullRequestState.CANCELLED
                    ? new Outcomes.Cancelled(view)
                    : new Outcomes.AlreadyEnded(view))
        .orElseGet(Outcomes.NeverSubmitted::new);
  }

  public Outcomes.Restart restart(QueueName name, PullRequestRef pr) {
    Optional<Request.Accepted> accepted =
        accept(
            name,
            Request.of(
                state ->
                    state.runOf(pr).isPresent()
                        ? List.of(new QueueEvent.RestartRequested(pr))
                        : List.of()));
    if (accepted.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    boolean restarted =
        !accepted.get().before().state().runOf(pr).equals(accepted.get().after().state().runOf(pr));
    return history
        .newest(accepted.get().after(), pr)
        .<Outcomes.Restart>map(
            view -> restarted ? new Outcomes.Restarted(view) : new Outcomes.NotTested(view))
        .orElseGet(Outcomes.NeverSubmitted::new);
  }

  /** The newest submission of a pull request, also after its end. */
  public Outcomes.Show pullRequest(QueueName name, PullRequestRef pr) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    return history
        .newest(queue.get(), pr)
        .<Outcomes.Show>map(Outcomes.Shown::new)
        .orElseGet(Outcomes.NeverSubmitted::new);
  }

  /** Without a head, for the one the forge shows now. */
  public Outcomes.SetTargets setImpactedTargets(
      QueueName name, PullRequestRef pr, Optional<CommitSha> head, ImpactedTargets targets) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    Optional<CommitSha> known = head.or(() -> queue.get().state().entry(pr).flatMap(Entry::head));
    if (known.isEmpty()) {
      Shown shown = show(queue.get(), pr);
      if (shown.isMissing()) {
        return new Outcomes.NoSuchPullRequest();
      }
      known = shown.view().map(Forge.PullRequestView::head);
    }
    return known
        .map(commit -> setImpactedTargets(queue.get(), pr, commit, TargetSets.sorted(targets)))
        .orElseGet(Outcomes.HeadUnknown::new);
  }

  private Outcomes.SetTargets setImpactedTargets(
      OpenQueue queue, PullRequestRef pr, CommitSha head, ImpactedTargets targets) {
    Instant now = clock.instant();
    var request =
        Request.of(
                state ->
                    state.entry(pr).isPresent()
                        ? List.of(new QueueEvent.ImpactedTargetsSet(pr, head, targets))
                        : List.of())
            .also(handle -> TargetStore.set(handle, queue.id(), pr, head, targets, now));
    return runner.accept(queue.id(), request).isPresent()
        ? new Outcomes.TargetsSet()
        : new Outcomes.NoSuchQueue();
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

  /** Every submission there was, newest first; {@code since} is about the last change of state. */
  public Outcomes.History history(
      QueueName name,
      Optional<PullRequestState> state,
      Optional<Instant> since,
      Optional<String> cursor,
      int take) {
    Optional<OpenQueue> queue = runner.find(name);
    return queue.isEmpty()
        ? new Outcomes.NoSuchQueue()
        : history.page(queue.get(), state, since, cursor, take);
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

  /** Of all queues of an organization, or of one repository; empty where that is not known. */
  public Optional<List<QueueNumbers>> numbers(long organizationId, Optional<RepoName> repo) {
    return measures.of(organizationId, repo);
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Outcomes.Connect connect(
      long organizationId,
      RepoName repo,
      String address,
      Optional<String> testCommand,
      Duration testTimeout) {
    return connections.connect(organizationId, repo, address, testCommand, testTimeout);
  }

  /** False where it was not connected. */
  public boolean disconnect(long organizationId, RepoName repo) {
    return connections.disconnect(organizationId, repo);
  }

  public Optional<ConnectionView> connection(long organizationId, RepoName repo) {
    return connections.find(organizationId, repo);
  }

  /** Something moved in the repository that this token is for; false where there is none. */
  public boolean hook(String token) {
    return connections.hook(token);
  }

  /** The same, by a key of the organization. */
  public boolean hook(long organizationId, RepoName repo) {
    return connections.hook(organizationId, repo);
  }

  private Optional<Request.Accepted> accept(QueueName name, Request request) {
    return database
        .query(handle -> QueueStore.find(handle, name))
        .flatMap(row -> runner.accept(row.id(), request));
  }
}
