package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.Run;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.StoredJson;
import dev.mainstay.server.queue.store.TestRunStore;
import dev.mainstay.server.queue.store.TestRunStore.End;
import dev.mainstay.server.queue.store.TestRunStore.Status;
import dev.mainstay.server.queue.store.TestRunStore.StatusSource;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** The row of a test run as it begins, and the impacted targets of its changes. */
record RunRows(TestRunStore.Row row, ImpactedTargets targets) {
  static RunRows of(OpenQueue queue, QueueAction.StartRun start, Instant now) {
    ImpactedTargets targets = touched(queue.state(), start.tested());
    return new RunRows(
        new TestRunStore.Row(
            start.run(),
            start.kind(),
            Status.IN_PROGRESS,
            queue.testBranch(start.run()),
            Optional.empty(),
            start.base().value(),
            now,
            Optional.empty(),
            Optional.empty(),
            start.requiredStatuses(),
            source(queue.state()),
            start.tested(),
            start.standsOn(),
            start.leavesOut(),
            StoredJson.targets(targets)),
        targets);
  }

  static End end(Run.Outcome outcome) {
    return switch (outcome) {
      case Run.Outcome.InProgress() -> new End(Status.CANCELLED, Optional.empty());
      case Run.Outcome.Succeeded() -> new End(Status.SUCCEEDED, Optional.empty());
      case Run.Outcome.Failed(var why, var _) ->
          new End(Status.FAILED, Optional.of(why.sentence()));
    };
  }

  private static StatusSource source(QueueState state) {
    if (state.settings().requiredStatuses().isPresent()) {
      return StatusSource.QUEUE;
    }
    return state.connection().protectionStatuses().isEmpty()
        ? StatusSource.TEST_COMMAND
        : StatusSource.BRANCH_PROTECTION;
  }

  private static ImpactedTargets touched(QueueState state, List<Change> tested) {
    List<ImpactedTargets> each =
        tested.stream()
            .map(c -> state.entry(c.pr()).flatMap(Entry::admission).map(Admission::targets))
            .map(t -> t.orElse(ImpactedTargets.ALL))
            .toList();
    if (each.stream().anyMatch(ImpactedTargets::all)) {
      return ImpactedTargets.ALL;
    }
    if (each.size() == 1) {
      return each.getFirst();
    }
    var names = new TreeSet<String>();
    each.forEach(t -> names.addAll(t.names()));
    return ImpactedTargets.of(names);
  }
}
