package dev.mainstay.server.queue;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Readiness;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.Run;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns what is stored into what users see. */
final class Views {
  private Views() {}

  static QueueView of(OpenQueue queue) {
    QueueState state = queue.state();
    var runs = new HashMap<PullRequestRef, Run>();
    state
        .line()
        .forEach(g -> g.run().ifPresent(r -> g.pullRequests().forEach(pr -> runs.put(pr, r))));
    state
        .side()
        .forEach(g -> g.run().ifPresent(r -> g.pullRequests().forEach(pr -> runs.put(pr, r))));
    Map<PullRequestRef, List<PullRequestRef>> ahead =
        state.waitsFor(PullRequestView.MOST_WAITED_FOR);
    var all = new ArrayList<PullRequestView>();
    for (Entry entry : state.inOrder()) {
      Optional<Integer> position =
          entry.is(PullRequestState.NOT_READY) ? Optional.empty() : Optional.of(all.size() + 1);
      all.add(
          of(
              queue,
              entry,
              position,
              Optional.ofNullable(runs.get(entry.pr())),
              ahead.getOrDefault(entry.pr(), List.of())));
    }
    return new QueueView(
        queue.slug(),
        queue.version(),
        state.lifecycle(),
        state.target().branch(),
        state.settings(),
        all);
  }

  /** One that is open. */
  static PullRequestView of(OpenQueue queue, Entry entry) {
    QueueState state = queue.state();
    List<PullRequestRef> ahead = state.waitsFor(entry.pr());
    int surplus = Math.max(0, ahead.size() - PullRequestView.MOST_WAITED_FOR);
    return of(
        queue,
        entry,
        state.position(entry.pr()),
        state.runOf(entry.pr()),
        ahead.subList(surplus, ahead.size()));
  }

  private static PullRequestView of(
      OpenQueue queue,
      Entry entry,
      Optional<Integer> position,
      Optional<Run> run,
      List<PullRequestRef> ahead) {
    OpenQueue.Beside beside = queue.beside(entry.pr());
    return new PullRequestView(
        queue.publicId(entry.id().number()),
        entry.pr().number(),
        entry.state(),
        entry.stateChangedAt(),
        entry.reason(),
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
        position,
        run.map(r -> queue.publicId(r.id().number())),
        ahead.stream().map(PullRequestRef::number).toList(),
        entry.submittedAt(),
        Optional.empty());
  }

  /** One that has ended: as it was then. */
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
        row.endedAt());
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
