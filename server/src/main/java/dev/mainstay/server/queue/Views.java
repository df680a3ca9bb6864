package dev.mainstay.server.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.rules.Forecast;
import dev.mainstay.core.queue.rules.InForce;
import dev.mainstay.core.queue.rules.Outlook;
import dev.mainstay.core.queue.rules.Places;
import dev.mainstay.core.queue.rules.Readiness;
import dev.mainstay.core.queue.rules.Warnings;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Makes views of queues and entries. */
public final class Views {
  private Views() {}

  public static QueueView of(OpenQueue queue) {
    return of(queue, Future.of(queue.state()));
  }

  /** For whom it does not matter when entries will merge, which takes a look at everybody. */
  public static QueueView untimed(OpenQueue queue) {
    return of(queue, Future.untold(queue.state()));
  }

  private static QueueView of(OpenQueue queue, Future future) {
    QueueState state = queue.state();
    var runs = new HashMap<PullRequestRef, Run>();
    state
        .line()
        .forEach(g -> g.run().ifPresent(r -> g.pullRequests().forEach(pr -> runs.put(pr, r))));
    state
        .side()
        .forEach(g -> g.run().ifPresent(r -> g.pullRequests().forEach(pr -> runs.put(pr, r))));
    Places places = new Places(state);
    var all = new ArrayList<PullRequestView>();
    for (Entry entry : places.inOrder()) {
      Optional<Run> run = Optional.ofNullable(runs.get(entry.pr()));
      all.add(of(queue, entry, () -> places, run, future));
    }
    return new QueueView(
        queue.slug(),
        queue.version(),
        state.lifecycle(),
        state.target().branch(),
        state.settings(),
        state.switchingTo(),
        Warnings.of(state),
        state.progress().stall(),
        new QueueView.InForce(InForce.groupSize(state), InForce.testingTimeoutMinutes(state)),
        all);
  }

  /** How likely entries pass and when they merge, told from when something last happened. */
  record Future(Outlook.Of outlooks, Map<PullRequestRef, Forecast.Expected> times) {
    static Future of(QueueState state) {
      return new Future(new Outlook.Of(state), Forecast.of(state, Forecast.asOf(state)));
    }

    PullRequestView.Chance chance(Entry entry) {
      Outlook outlook = outlooks.entry(entry);
      return new PullRequestView.Chance(
          outlook.passes(),
          outlook.drivers().stream()
              .map(
                  d ->
                      new PullRequestView.Driver(
                          d.trait().kind().code(), d.trait().value(), -d.moves()))
              .toList());
    }

    Optional<PullRequestView.Expected> expected(Entry entry) {
      return Optional.ofNullable(times.get(entry.pr()))
          .map(e -> new PullRequestView.Expected(e.likely(), e.late()));
    }

    /** Without what takes a look at everybody. */
    static Future untold(QueueState state) {
      return new Future(new Outlook.Of(state), Map.of());
    }
  }

  /** An open entry. */
  static PullRequestView of(OpenQueue queue, Entry entry, Supplier<Places> places, Future future) {
    return of(queue, entry, places, queue.state().runOf(entry.pr()), future);
  }

  private static PullRequestView of(
      OpenQueue queue, Entry entry, Supplier<Places> places, Optional<Run> run, Future future) {
    Optional<Places> inQueue =
        entry.is(PullRequestState.NOT_READY) ? Optional.empty() : Optional.of(places.get());
    OpenQueue.Beside beside = queue.beside(entry.pr());
    return new PullRequestView(
        queue.publicId(entry.id().number()),
        entry.pr().number(),
        entry.state(),
        entry.stateChangedAt(),
        run.map(r -> Awaited.reason(entry, r))
            .or(() -> inQueue.map(p -> p.reason(entry)))
            .orElse(entry.reason()),
        entry.priority(),
        beside.usedDefaultPriority(),
        entry.noBatch(),
        true,
        beside.about().title(),
        beside.about().author(),
        beside.about().url(),
        entry.head().map(sha -> sha.value()),
        entry.snapshot().map(PullRequestSnapshot::baseBranch),
        readiness(queue.state(), entry, true),
        inQueue.flatMap(p -> p.position(entry.pr())),
        run.map(r -> queue.publicId(r.id().number())),
        inQueue.map(p -> waitsFor(p, entry)).orElse(List.of()),
        entry.submittedAt(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(future.chance(entry)),
        future.expected(entry));
  }

  private static List<Integer> waitsFor(Places places, Entry entry) {
    return places.waitsFor(entry.pr(), PullRequestView.MOST_WAITED_FOR).stream()
        .map(PullRequestRef::number)
        .toList();
  }

  /** An entry that has ended, as it was then. */
  static PullRequestView of(OpenQueue queue, PullRequestStore.Row row, Entry entry) {
    return new PullRequestView(
        queue.publicId(row.entry()),
        row.number(),
        row.state(),
        row.stateChangedAt(),
        row.reason(),
        entry.priority(),
        row.beside().usedDefaultPriority(),
        entry.noBatch(),
        row.endedAt().isEmpty(),
        row.beside().about().title(),
        row.beside().about().author(),
        row.beside().about().url(),
        entry.head().map(sha -> sha.value()),
        entry.snapshot().map(PullRequestSnapshot::baseBranch),
        readiness(queue.state(), entry, false),
        Optional.empty(),
        row.run().map(queue::publicId),
        List.of(),
        row.submittedAt(),
        row.endedAt(),
        row.landed().map(l -> new PullRequestView.Landed(l.sha(), l.how())),
        Optional.empty(),
        Optional.empty());
  }

  private static PullRequestView.Readiness readiness(QueueState state, Entry entry, boolean open) {
    boolean waits = open && entry.is(PullRequestState.NOT_READY);
    return new PullRequestView.Readiness(
        entry.knownTargets().isPresent(),
        state.settings().isParallel(),
        entry.snapshot().filter(s -> s.baseBranch().equals(state.target().branch())).isPresent(),
        entry.mergeability(),
        waits
            ? Readiness.waitingFor(entry, state).stream().map(Reason::sentence).toList()
            : List.of());
  }
}
