package dev.mainstay.server.queue.work;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Connection;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.LandingProblem;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.server.connection.ConnectionStore;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.connection.HookStore;
import dev.mainstay.server.forge.Abilities.Ability;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.GitRepository;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.Snapshots;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.HeadStatusStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Performs actions at the forge; the proposal of each tells the queue how it went. */
final class Actions {
  private static final Logger log = LoggerFactory.getLogger("queue");

  /** The status that a repository's own test command gives. */
  static final String TEST_COMMAND = "mainstay/test";

  private final Database database;
  private final Clock clock;
  private final Runnable onCommand;

  Actions(Database database, Clock clock, Runnable onCommand) {
    this.database = database;
    this.clock = clock;
    this.onCommand = onCommand;
  }

  Proposal perform(ActionStore.Taken taken, OpenQueue queue, Forges.Connected connected) {
    return switch (taken.action()) {
      case QueueAction.StartRun a -> start(a, queue, connected);
      case QueueAction.CancelRun a -> cancel(a, queue, connected);
      case QueueAction.Land a -> land(taken, a, queue, connected);
      case QueueAction.TakeSnapshot a -> look(a, queue, connected.forge());
      case QueueAction.WakeAt ignored -> nothing();
    };
  }

  /** A proposal of what the forge took: the credentials are no longer refused. */
  private static Proposal accepted(Forges.Connected connected, Proposal proposal) {
    return connected.how().refusal().isEmpty()
        ? proposal
        : proposal.also(
            handle -> ConnectionStore.refused(handle, connected.how(), Optional.empty()));
  }

  private static Proposal nothing() {
    return Proposal.of(state -> List.of());
  }

  private static GitRepository.Method method(QueueSettings.MergeMethod method) {
    return GitRepository.Method.valueOf(method.name());
  }

  private Proposal start(QueueAction.StartRun start, OpenQueue queue, Forges.Connected connected) {
    if (queue.state().groupOf(start.run()).isEmpty()) {
      return nothing();
    }
    var branch =
        new GitRepository.TestBranch(
            queue.testBranch(start.run()),
            start.base(),
            heads(Stream.concat(start.standsOn().stream(), start.tested().stream())),
            method(queue.state().settings().mergeMethod()));
    return switch (connected.forge().git().build(branch)) {
      case GitRepository.BuildResult.Built b -> built(start, queue, connected, b);
      case GitRepository.BuildResult.Conflict c ->
          Proposal.of(new QueueEvent.TestBranchConflicted(start.run(), c.pr(), c.withBase()));
      case GitRepository.BuildResult.HeadGone g ->
          Proposal.of(
              new QueueEvent.TestBranchNotBuilt(
                  start.run(), "The head commit of " + g.pr() + " is no longer there."));
    };
  }

  private Proposal built(
      QueueAction.StartRun start,
      OpenQueue queue,
      Forges.Connected connected,
      GitRepository.BuildResult.Built built) {
    openTestPullRequest(start, queue, connected.forge());
    Proposal request = accepted(connected, Proposal.of(news(start, built)));
    Instant now = clock.instant();
    if (connected.forge().abilities().has(Ability.STATUSES)) {
      Instant then = now.plus(WatchWorker.AT_HOST);
      request = request.also(h -> HookStore.lookBy(h, queue.repositoryId(), then));
    }
    boolean command =
        connected.how().testCommand().isPresent()
            && start.requiredStatuses().contains(TEST_COMMAND);
    if (!command) {
      return request;
    }
    return request
        .also(
            handle ->
                TestCommandStore.insert(
                    handle, queue.id(), start, queue.repositoryId(), built.commit(), now))
        .then(onCommand);
  }

  /** For CI that starts by nothing else. It is closed when its branch is deleted. */
  private static void openTestPullRequest(
      QueueAction.StartRun start, OpenQueue queue, Forge forge) {
    QueueState state = queue.state();
    if (state.settings().createPrsForTestingBranches()
        && forge.abilities().has(Ability.TEST_PULL_REQUESTS)) {
      String tested =
          start.tested().isEmpty()
              ? state.target().branch()
              : start.tested().stream()
                  .map(c -> c.pr().toString())
                  .collect(Collectors.joining(", "));
      forge
          .host()
          .orElseThrow()
          .open(
              new Host.TestPullRequest(
                  queue.testBranch(start.run()),
                  state.target().branch(),
                  "Test of %s".formatted(tested),
                  "The merge queue tests %s here, as it will be. It closes this by itself; do not merge it."
                      .formatted(tested)));
    }
  }

  /** Of those below, each own run tells what they bring. */
  private static QueueEvent news(
      QueueAction.StartRun start, GitRepository.BuildResult.Built built) {
    List<PullRequestRef> tested = start.tested().stream().map(Change::pr).toList();
    return new QueueEvent.TestBranchBuilt(
        start.run(),
        built.commit(),
        built.bringNothing().stream().filter(tested::contains).toList());
  }

  private static List<GitRepository.Head> heads(Stream<Change> changes) {
    return changes.map(c -> new GitRepository.Head(c.pr(), c.head())).toList();
  }

  private Proposal cancel(
      QueueAction.CancelRun cancel, OpenQueue queue, Forges.Connected connected) {
    if (cancel.outcome() instanceof Run.Outcome.InProgress) {
      stop(cancel.run(), queue, connected.forge());
    }
    connected.forge().git().deleteTestBranches(List.of(queue.testBranch(cancel.run())));
    return accepted(connected, nothing())
        .also(handle -> TestRunStore.branchDeleted(handle, queue.id(), cancel.run()));
  }

  /** Frees the machines of CI, as far as the host lets us. */
  private void stop(RunId run, OpenQueue queue, Forge forge) {
    if (!forge.abilities().has(Ability.STOPPING)) {
      return;
    }
    Optional<CommitSha> commit =
        database
            .query(handle -> TestRunStore.find(handle, queue.id(), run))
            .flatMap(TestRunStore.Row::sha)
            .map(CommitSha::new);
    try {
      commit.ifPresent(forge.host().orElseThrow()::stop);
    } catch (CredentialsRefused e) {
      log.debug("CI goes on testing {}: {}", commit, e.getMessage());
    }
  }

  private static Proposal land(
      ActionStore.Taken taken, QueueAction.Land land, OpenQueue queue, Forges.Connected connected) {
    if (queue.state().landing().filter(l -> l.id().equals(land.landing())).isEmpty()) {
      return nothing();
    }
    var result =
        connected
            .forge()
            .git()
            .land(
                new GitRepository.Landing(
                    queue.publicId(land.landing().number()),
                    queue.state().target().branch(),
                    land.onto(),
                    heads(land.changes().stream()),
                    land.tested(),
                    land.exactTree(),
                    method(land.method()),
                    queue.state().settings().keepHeadBranches(),
                    taken.askedAt()));
    if (result.fault().orElse(null) instanceof GitRepository.LandingFault.Untested untested) {
      log.error("The queue {} pauses itself: {}", queue.slug(), untested.sentence());
    }
    var events = new ArrayList<QueueEvent>();
    foreignHead(result)
        .map(head -> new ForeignMove(queue.state(), connected.forge(), head).event())
        .ifPresent(events::add);
    events.add(
        new QueueEvent.LandingEnded(
            land.landing(),
            result.landed().stream().map(Actions::landed).toList(),
            result.fault().map(Actions::problem)));
    var ended = Proposal.of(state -> events);
    return result.landed().isEmpty() ? ended : accepted(connected, ended);
  }

  /** Where the target branch is, if that kept all from landing. */
  private static Optional<CommitSha> foreignHead(GitRepository.LandingResult result) {
    return result
        .fault()
        .filter(f -> result.landed().isEmpty())
        .filter(GitRepository.LandingFault.TargetMoved.class::isInstance)
        .map(GitRepository.LandingFault.TargetMoved.class::cast)
        .map(GitRepository.LandingFault.TargetMoved::head);
  }

  private static QueueEvent.Landed landed(GitRepository.Landed landed) {
    return new QueueEvent.Landed(
        landed.pr(), landed.targetHead(), Optional.of(LandedHow.valueOf(landed.how().name())));
  }

  private static LandingProblem problem(GitRepository.LandingFault fault) {
    return switch (fault) {
      case GitRepository.LandingFault.HeadMoved f -> new LandingProblem.HeadMoved(f.pr());
      case GitRepository.LandingFault.TargetMoved f -> new LandingProblem.TargetMoved(f.head());
      case GitRepository.LandingFault.Conflict f -> new LandingProblem.Conflicted(f.pr());
      case GitRepository.LandingFault.TreeDiffered() -> new LandingProblem.TreeDiffered();
      case GitRepository.LandingFault.Untested f -> new LandingProblem.Untested(f.sentence());
      case GitRepository.LandingFault.Refused f -> new LandingProblem.Refused(f.pr(), f.sentence());
    };
  }

  private Proposal look(QueueAction.TakeSnapshot look, OpenQueue queue, Forge forge) {
    if (queue.state().entry(look.pr()).isEmpty()) {
      return nothing();
    }
    Instant asOf = clock.instant();
    return Snapshots.request(
        look.pr(),
        forge.pullRequest(look.pr(), queue.state().target().branch()),
        head -> database.query(h -> HeadStatusStore.passed(h, queue.id(), head)),
        asOf);
  }

  /**
   * The end of a landing of which nobody will know whether it merged: none of its entries may merge
   * once more.
   */
  static Proposal givenUp(QueueAction.Land land) {
    var events = new ArrayList<QueueEvent>();
    PullRequestRef first = land.changes().getFirst().pr();
    events.add(
        new QueueEvent.LandingEnded(
            land.landing(),
            List.of(),
            Optional.of(
                new LandingProblem.Refused(
                    first,
                    "The repository was disconnected before it was known whether this has merged."))));
    land.changes().stream().skip(1).map(c -> new QueueEvent.Cancelled(c.pr())).forEach(events::add);
    return Proposal.of(state -> events);
  }

  /** The news for a queue that believes in a connection that is gone. */
  static Proposal disconnected() {
    return Proposal.of(
        (QueueState state) ->
            state.connection().connected()
                ? List.of(new QueueEvent.ConnectionChanged(Connection.NONE))
                : List.of());
  }
}
