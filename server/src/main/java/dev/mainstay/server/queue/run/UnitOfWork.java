package dev.mainstay.server.queue.run;

import static java.util.stream.Collectors.toSet;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.EntryId;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.core.queue.Step;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.server.platform.Convoy;
import dev.mainstay.server.platform.Fact;
import dev.mainstay.server.platform.FactStore;
import dev.mainstay.server.queue.store.ActionStore;
import dev.mainstay.server.queue.store.EventStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.PullRequestStore;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.StoredJson;
import dev.mainstay.server.queue.store.TargetSetStore;
import dev.mainstay.server.queue.store.TestCommandStore;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/**
 * A queue's unit of work: takes the queue from event to event, and collects the rows to write, so
 * that many events cost one transaction. A proposal that fails half way leaves nothing here.
 */
final class UnitOfWork {
  private final Instant now;
  private final OpenQueue first;
  private OpenQueue queue;
  private Map<PullRequestRef, OpenQueue.Beside> beside;
  private boolean ownsBeside;

  private final List<QueueEvent> events = new ArrayList<>();
  private final Map<EntryId, Kept> entries = new LinkedHashMap<>();
  private final List<PullRequestStore.Moved> transitions = new ArrayList<>();
  private final Map<String, QueueAction> actions = new LinkedHashMap<>();
  private final Map<RunId, TestRunStore.Row> runs = new LinkedHashMap<>();
  private final Map<RunId, TestRunStore.End> endedRuns = new LinkedHashMap<>();
  private final List<QueueEvent.TestBranchBuilt> built = new ArrayList<>();
  private final List<ImpactedTargets> targets = new ArrayList<>();
  private final List<Supplier<List<Fact>>> facts = new ArrayList<>();

  /** An entry to write, as it is after all events; {@code movedAt} is its last transition. */
  private record Kept(
      Entry entry,
      Instant movedAt,
      OpenQueue.Beside beside,
      Optional<Long> run,
      boolean bisected,
      Optional<PullRequestStore.Landed> landed) {
    PullRequestStore.Row row(Instant now) {
      return new PullRequestStore.Row(
          entry.id().number(),
          entry.pr().number(),
          entry.state(),
          entry.stateChangedAt(),
          entry.reason(),
          beside,
          run,
          bisected,
          entry.submittedAt(),
          entry.state().isEnd() ? Optional.of(now) : Optional.empty(),
          movedAt,
          landed,
          StoredJson.entry(entry));
    }
  }

  UnitOfWork(OpenQueue queue, Instant now) {
    this.first = queue;
    this.queue = queue;
    this.beside = queue.beside();
    this.now = now;
  }

  /** The queue as it will be. */
  OpenQueue queue() {
    return queue;
  }

  boolean asksForWork() {
    return !actions.isEmpty();
  }

  Proposal.Accepted accept(Proposal request) {
    OpenQueue before = queue;
    QueueState state = before.state();
    var steps = new ArrayList<Step>();
    var happened = new ArrayList<QueueEvent>();
    for (QueueEvent event : request.events().apply(state)) {
      Step step = Engine.on(event, state, now);
      if (!step.after().equals(state) || !step.actions().isEmpty()) {
        happened.add(event);
        steps.add(step);
        state = step.after();
      }
    }
    var learned = new HashMap<PullRequestRef, OpenQueue.Beside>();
    request.learned().forEach((pr, news) -> learned.put(pr, news.apply(before.beside(pr))));
    for (int i = 0; i < steps.size(); i++) {
      record(happened.get(i), steps.get(i), learned);
    }
    learn(learned);
    return new Proposal.Accepted(
        before, queue, steps.stream().flatMap(s -> s.transitions().stream()).toList(), queue);
  }

  private void record(QueueEvent event, Step step, Map<PullRequestRef, OpenQueue.Beside> learned) {
    QueueState was = queue.state();
    know(step.after(), step.transitions(), learned);
    queue = next(step.after());
    events.add(event);
    targetsOf(event).ifPresent(targets::add);
    for (QueueAction action : step.actions()) {
      record(action);
    }
    if (event instanceof QueueEvent.TestBranchBuilt done) {
      built.add(done);
    }
    recordRuns(was, step.after());
    Map<PullRequestRef, Run> tested = Moves.tested(step.after());
    recordEntries(event, was, step, tested, learned);
    step.transitions().forEach(t -> transitions.add(Moves.of(t, was, tested)));
    OpenQueue then = queue;
    facts.add(() -> QueueFacts.of(then, was, step.after(), now));
    for (Transition t : step.transitions()) {
      moved(t, was, step, tested).ifPresent(m -> facts.add(() -> QueueFacts.of(then, m)));
    }
  }

  private Optional<QueueFacts.Moved> moved(
      Transition t, QueueState was, Step step, Map<PullRequestRef, Run> tested) {
    Optional<Entry> entry =
        Optional.ofNullable(step.changed().get(t.pr()))
            .or(() -> step.ended().stream().filter(e -> e.id().equals(t.entry())).findFirst());
    return Optional.ofNullable(entries.get(t.entry()))
        .map(
            kept ->
                new QueueFacts.Moved(
                    t, kept.beside().about(), kept.landed(), entry, Moves.run(t, was, tested)));
  }

  /** What is told of all of it: put into words only where somebody listens. */
  private List<Fact> facts() {
    return facts.stream().flatMap(told -> told.get().stream()).toList();
  }

  private OpenQueue next(QueueState state) {
    return new OpenQueue(
        queue.id(), queue.repositoryId(), queue.slug(), queue.version() + 1, state, beside);
  }

  /** Changes the facts beside the state; all versions of one transaction share them. */
  private void know(
      QueueState state, List<Transition> moved, Map<PullRequestRef, OpenQueue.Beside> learned) {
    learned.forEach(
        (pr, news) -> {
          if (state.entry(pr).isPresent() && !news.equals(beside.get(pr))) {
            ownBeside().put(pr, news);
          }
        });
    for (Transition t : moved) {
      if (beside.containsKey(t.pr()) && state.entry(t.pr()).isEmpty()) {
        ownBeside().remove(t.pr());
      }
    }
  }

  private Map<PullRequestRef, OpenQueue.Beside> ownBeside() {
    if (!ownsBeside) {
      beside = new HashMap<>(beside);
      ownsBeside = true;
    }
    return beside;
  }

  /** Writes news that the engine had no interest in, such as a title: users may have. */
  private void learn(Map<PullRequestRef, OpenQueue.Beside> learned) {
    for (var e : learned.entrySet()) {
      Optional<Entry> entry = queue.state().entry(e.getKey());
      if (entry.isPresent() && !queue.beside(e.getKey()).equals(e.getValue())) {
        know(queue.state(), List.of(), Map.of(e.getKey(), e.getValue()));
        queue = next(queue.state());
        put(entry.get(), false, e.getValue(), Optional.empty(), Optional.empty());
      }
    }
  }

  private static Optional<ImpactedTargets> targetsOf(QueueEvent event) {
    return switch (event) {
      case QueueEvent.Submitted e -> e.targets();
      case QueueEvent.ImpactedTargetsSet e -> Optional.of(e.targets());
      case QueueEvent.TargetMoved e -> e.touched();
      default -> Optional.empty();
    };
  }

  private void record(QueueAction action) {
    switch (action) {
      case QueueAction.StartRun start -> {
        var run = RunRows.of(queue, start, now);
        runs.put(start.run(), run.row());
        targets.add(run.targets());
        actions.put(start.id(), start);
      }
      case QueueAction.CancelRun cancel -> {
        endedRuns.putIfAbsent(cancel.run(), RunRows.end(cancel.outcome()));
        actions.put(cancel.id(), cancel);
      }
      case QueueAction.Land land -> actions.put(land.id(), land);
      case QueueAction.TakeSnapshot take -> actions.put(take.id(), take);
      case QueueAction.WakeAt ignored -> {}
    }
  }

  private void recordRuns(QueueState was, QueueState is) {
    if (was.line().equals(is.line()) && was.side().equals(is.side())) {
      return;
    }
    runsOf(is)
        .filter(run -> !run.isInProgress())
        .forEach(run -> endedRuns.putIfAbsent(run.id(), RunRows.end(run.outcome())));
  }

  private static Stream<Run> runsOf(QueueState state) {
    return state.groups().flatMap(g -> g.runs().stream());
  }

  private void recordEntries(
      QueueEvent event,
      QueueState was,
      Step step,
      Map<PullRequestRef, Run> tested,
      Map<PullRequestRef, OpenQueue.Beside> learned) {
    Set<EntryId> moved = step.transitions().stream().map(Transition::entry).collect(toSet());
    for (Entry entry : step.changed().values()) {
      put(
          entry,
          moved.contains(entry.id()),
          queue.beside(entry.pr()),
          Optional.ofNullable(tested.get(entry.pr())),
          Optional.empty());
    }
    for (Entry entry : step.ended()) {
      put(
          entry,
          true,
          beside(entry, learned),
          was.runOf(entry.pr()),
          Landings.of(event, step.after(), entry));
    }
  }

  private OpenQueue.Beside beside(Entry ended, Map<PullRequestRef, OpenQueue.Beside> learned) {
    return Optional.ofNullable(learned.get(ended.pr()))
        .or(() -> Optional.ofNullable(entries.get(ended.id())).map(Kept::beside))
        .orElseGet(() -> first.beside(ended.pr()));
  }

  private void put(
      Entry entry,
      boolean moved,
      OpenQueue.Beside beside,
      Optional<Run> run,
      Optional<PullRequestStore.Landed> landed) {
    Optional<Kept> earlier = Optional.ofNullable(entries.get(entry.id()));
    entries.put(
        entry.id(),
        new Kept(
            entry,
            moved ? now : earlier.map(Kept::movedAt).orElse(entry.submittedAt()),
            beside,
            run.map(r -> r.id().number()).or(() -> earlier.flatMap(Kept::run)),
            run.filter(r -> r.kind() == RunKind.BISECTION).isPresent(),
            landed));
  }

  /**
   * Locks the queue's row and writes all of it; nothing, and false, where the queue is no longer
   * what it was taken from.
   */
  boolean save(Handle handle) {
    long id = queue.id();
    if (queue.version() == first.version()) {
      return QueueStore.lock(handle, id).filter(r -> r.version() == first.version()).isPresent();
    }
    Optional<QueueStore.Saved> saved = QueueStore.save(handle, first, queue);
    if (saved.isEmpty()) {
      return false;
    }
    Set.copyOf(targets).forEach(t -> TargetSetStore.save(handle, id, t, now));
    var rows = new Convoy();
    EventStore.insert(rows, id, queue.version(), now, events);
    PullRequestStore.save(rows, id, entries.values().stream().map(k -> k.row(now)).toList());
    PullRequestStore.saveTransitions(rows, id, transitions);
    TestRunStore.insert(rows, id, runs.values());
    boolean cancels = actions.values().stream().anyMatch(QueueAction.CancelRun.class::isInstance);
    if (!cancels) {
      ActionStore.insert(rows, id, queue.repositoryId(), actions.values(), now);
    }
    if (saved.get().heard()) {
      FactStore.insert(rows, queue.repositoryId(), facts());
    }
    rows.send(handle);
    built.forEach(b -> TestRunStore.built(handle, id, b.run(), b.commit(), now));
    TestRunStore.end(handle, id, endedRuns, now);
    if (cancels) {
      var wanted = new Convoy();
      ActionStore.insert(wanted, id, queue.repositoryId(), open(handle), now);
      wanted.send(handle);
    }
    return true;
  }

  /** The actions to insert, without those of runs that were cancelled before anybody began them. */
  private List<QueueAction> open(Handle handle) {
    var open = new LinkedHashMap<>(actions);
    for (QueueAction action : actions.values()) {
      if (action instanceof QueueAction.CancelRun cancel) {
        String start = cancel.run() + "/start";
        boolean neverBegun =
            open.remove(start) != null || ActionStore.takeBack(handle, queue.id(), start);
        TestRunStore.keepOutput(handle, queue.id(), cancel.run());
        TestCommandStore.delete(handle, queue.id(), cancel.run());
        if (neverBegun) {
          open.remove(cancel.id());
          TestRunStore.branchDeleted(handle, queue.id(), cancel.run());
        }
      }
    }
    return List.copyOf(open.values());
  }
}
