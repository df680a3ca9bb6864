package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.server.connection.Forges;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.run.Proposal;
import dev.mainstay.server.queue.run.QueueRunner;
import dev.mainstay.server.queue.run.Snapshots;
import dev.mainstay.server.queue.store.Caption;
import dev.mainstay.server.queue.store.HeadStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.TargetSets;
import dev.mainstay.server.queue.store.TargetStore;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/**
 * Pull requests in queues: submit, cancel, restart, show. The forge is never asked inside a
 * transaction.
 */
public final class PullRequests {
  private final Clock clock;
  private final QueueRunner runner;
  private final Arrivals arrivals;
  private final History history;

  PullRequests(Database database, Clock clock, QueueRunner runner, Forges forges, History history) {
    this.clock = clock;
    this.runner = runner;
    this.arrivals = new Arrivals(database, forges);
    this.history = history;
  }

  /** What is written along with a command that comes alone. */
  private static void nothing(Handle handle) {}

  /**
   * Submits a pull request. Without a priority it has the default one, or keeps the one of its open
   * entry.
   */
  public Outcomes.Submit submit(
      QueueName name, PullRequestRef pr, Optional<Priority> priority, Optional<Boolean> noBatch) {
    return submit(name, new Wanted(pr, priority, noBatch), PullRequests::nothing);
  }

  /** A pull request that somebody wants in a queue. */
  public record Wanted(PullRequestRef pr, Optional<Priority> priority, Optional<Boolean> noBatch) {}

  /** The same, together with statements of its transaction. */
  public Outcomes.Submit submit(QueueName name, Wanted wanted, Consumer<Handle> also) {
    return runner
        .lastSeen(name)
        .flatMap(queue -> submit(queue, wanted, also))
        .or(() -> runner.find(name).flatMap(queue -> submit(queue, wanted, also)))
        .orElseGet(Outcomes.NoSuchQueue::new);
  }

  /** Empty where the queue is gone. The forge is not asked about an entry that was let in. */
  private Optional<Outcomes.Submit> submit(OpenQueue queue, Wanted wanted, Consumer<Handle> also) {
    PullRequestRef pr = wanted.pr();
    boolean isIn =
        queue.state().entry(pr).filter(e -> !e.is(PullRequestState.NOT_READY)).isPresent();
    if (isIn || !queue.state().connection().connected()) {
      return submit(queue, wanted, also, Optional.empty(), Optional.empty(), Optional.empty());
    }
    Instant asOf = clock.instant();
    Arrivals.Seen seen = arrivals.look(queue, pr);
    if (seen.isMissing()) {
      return Optional.of(new Outcomes.NoSuchPullRequest());
    }
    return submit(
        queue,
        wanted,
        also,
        seen.view().map(v -> Snapshots.of(v, seen.told().orElseThrow().passed(), asOf)),
        seen.told().flatMap(HeadStore.Told::targets),
        seen.view().map(Snapshots::about));
  }

  private Optional<Outcomes.Submit> submit(
      OpenQueue queue,
      Wanted wanted,
      Consumer<Handle> also,
      Optional<PullRequestSnapshot> snapshot,
      Optional<ImpactedTargets> targets,
      Optional<Caption> about) {
    PullRequestRef pr = wanted.pr();
    Function<QueueState, List<QueueEvent>> event =
        state -> {
          Optional<Entry> open = state.entry(pr);
          var events = new ArrayList<>(Snapshots.moves(state, snapshot));
          events.add(
              new QueueEvent.Submitted(
                  pr,
                  wanted.priority().or(() -> open.map(Entry::priority)).orElse(Priority.DEFAULT),
                  wanted.noBatch().or(() -> open.map(Entry::noBatch)).orElse(false),
                  snapshot,
                  targets));
          return events;
        };
    return runner
        .accept(
            queue.id(),
            Proposal.of(event)
                .learning(
                    pr,
                    known ->
                        new OpenQueue.Beside(
                            about.orElse(known.about()),
                            wanted.priority().isEmpty() && known.usedDefaultPriority()))
                .also(also))
        .map(accepted -> withTargetsToldMeanwhile(accepted, pr))
        .flatMap(queueThen -> history.submitted(queueThen, pr))
        .map(Outcomes.Submitted::new);
  }

  /**
   * Targets that were told after the question for them and before their pull request was in, whose
   * teller found none there: they are stored by now.
   */
  private OpenQueue withTargetsToldMeanwhile(Proposal.Accepted accepted, PullRequestRef pr) {
    OpenQueue queue = accepted.committed();
    Optional<CommitSha> head =
        queue
            .state()
            .entry(pr)
            .filter(e -> queue.state().settings().isParallel() && e.knownTargets().isEmpty())
            .flatMap(Entry::head);
    return head.flatMap(commit -> arrivals.told(new HeadStore.Head(queue.id(), pr, commit)))
        .flatMap(HeadStore.Told::targets)
        .flatMap(
            targets ->
                runner.accept(
                    queue.id(),
                    Proposal.of(
                        state ->
                            state.entry(pr).filter(e -> e.knownTargets().isEmpty()).isPresent()
                                ? List.of(
                                    new QueueEvent.ImpactedTargetsSet(
                                        pr, head.orElseThrow(), targets))
                                : List.of())))
        .map(Proposal.Accepted::committed)
        .orElse(queue);
  }

  public Outcomes.Cancel cancel(QueueName name, PullRequestRef pr) {
    return cancel(name, pr, PullRequests::nothing);
  }

  /** The same, together with statements of its transaction. */
  public Outcomes.Cancel cancel(QueueName name, PullRequestRef pr, Consumer<Handle> also) {
    Optional<Proposal.Accepted> accepted =
        runner.accept(
            name,
            Proposal.of(
                    state ->
                        state.entry(pr).isPresent()
                            ? List.<QueueEvent>of(new QueueEvent.Cancelled(pr))
                            : List.<QueueEvent>of())
                .also(also));
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

  /** Has its tests run again; one that waits for a slot has no results that could count. */
  public Outcomes.Restart restart(QueueName name, PullRequestRef pr) {
    return restart(name, pr, PullRequests::nothing);
  }

  /** The same, together with statements of its transaction. */
  public Outcomes.Restart restart(QueueName name, PullRequestRef pr, Consumer<Handle> also) {
    Optional<Proposal.Accepted> accepted =
        runner.accept(
            name,
            Proposal.of(
                    state ->
                        state.runOf(pr).isPresent()
                            ? List.<QueueEvent>of(new QueueEvent.RestartRequested(pr))
                            : List.<QueueEvent>of())
                .also(also));
    if (accepted.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    QueueState before = accepted.get().before().state();
    boolean isIn = before.entry(pr).filter(e -> !e.is(PullRequestState.NOT_READY)).isPresent();
    boolean lands = before.groupOf(pr).filter(g -> before.isLanding(g.id())).isPresent();
    return history
        .newest(accepted.get().after(), pr)
        .<Outcomes.Restart>map(
            view -> {
              if (lands) {
                return new Outcomes.BeingMerged(view);
              }
              return isIn ? new Outcomes.Restarted(view) : new Outcomes.NotTested(view);
            })
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

  /**
   * Sets the targets for a head; without one, for the head of the open entry, or the one the forge
   * shows now.
   */
  public Outcomes.SetTargets setImpactedTargets(
      QueueName name, PullRequestRef pr, Optional<CommitSha> head, ImpactedTargets targets) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    Optional<CommitSha> known = head.or(() -> queue.get().state().entry(pr).flatMap(Entry::head));
    if (known.isEmpty()) {
      Arrivals.Seen seen = arrivals.look(queue.get(), pr);
      if (seen.isMissing()) {
        return new Outcomes.NoSuchPullRequest();
      }
      known = seen.view().map(Forge.PullRequestView::head);
    }
    return known
        .map(commit -> setImpactedTargets(queue.get(), pr, commit, TargetSets.sorted(targets)))
        .orElseGet(Outcomes.HeadUnknown::new);
  }

  /** Adds to what a head is known to touch. */
  Outcomes.SetTargets addImpactedTargets(
      long organizationId,
      RepoName repo,
      String branch,
      PullRequestRef pr,
      CommitSha head,
      ImpactedTargets targets) {
    return runner
        .find(new QueueName(organizationId, repo, branch))
        .map(
            queue -> {
              Optional<ImpactedTargets> known =
                  arrivals
                      .told(new HeadStore.Head(queue.id(), pr, head))
                      .flatMap(HeadStore.Told::targets);
              var all = known.map(targets::and).orElse(targets);
              return setImpactedTargets(queue, pr, head, TargetSets.sorted(all));
            })
        .orElseGet(Outcomes.NoSuchQueue::new);
  }

  private Outcomes.SetTargets setImpactedTargets(
      OpenQueue queue, PullRequestRef pr, CommitSha head, ImpactedTargets targets) {
    Instant now = clock.instant();
    var request =
        Proposal.of(
                state ->
                    state.entry(pr).isPresent()
                        ? List.of(new QueueEvent.ImpactedTargetsSet(pr, head, targets))
                        : List.of())
            .also(handle -> TargetStore.set(handle, queue.id(), pr, head, targets, now));
    return runner.accept(queue.id(), request).isPresent()
        ? new Outcomes.TargetsSet()
        : new Outcomes.NoSuchQueue();
  }

  /** A page of all entries there were that are wanted, the newest first. */
  public Outcomes.ListHistory history(
      QueueName name, PullRequestStore.Wanted wanted, Optional<String> cursor, int take) {
    Optional<OpenQueue> queue = runner.find(name);
    return queue.isEmpty()
        ? new Outcomes.NoSuchQueue()
        : history.page(queue.get(), wanted, cursor, take);
  }

  /** All that happened to a pull request in a queue. */
  public Outcomes.Tell story(QueueName name, PullRequestRef pr) {
    Optional<OpenQueue> queue = runner.find(name);
    if (queue.isEmpty()) {
      return new Outcomes.NoSuchQueue();
    }
    return history
        .story(queue.get(), pr)
        .<Outcomes.Tell>map(Outcomes.Told::new)
        .orElseGet(Outcomes.NeverSubmitted::new);
  }
}
