package dev.mainstay.server.queue.whatif;

import dev.mainstay.core.queue.Admission;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.PullRequestSnapshot;
import dev.mainstay.core.simulation.past.Past;
import dev.mainstay.core.simulation.past.PastChange;
import dev.mainstay.core.simulation.past.PastRun;
import dev.mainstay.core.simulation.world.SimulatedChange.Origin;
import dev.mainstay.server.queue.store.PastStore;
import dev.mainstay.server.queue.store.StoredJson;
import dev.mainstay.server.queue.store.TargetSetStore;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** Reads what happened in a queue: the submissions that ended in a time, and their runs. */
final class PastReader {
  static final int MOST_CHANGES = 1_000;
  static final int MOST_RUNS = 10_000;

  /** Lists of targets may be long; from here on those of older changes count as not known. */
  private static final int MOST_TARGETS = 200_000;

  private final Handle handle;
  private final long queueId;
  private final Map<String, ImpactedTargets> sets = new HashMap<>();
  private int targets;

  private PastReader(Handle handle, long queueId) {
    this.handle = handle;
    this.queueId = queueId;
  }

  /**
   * @param cut there was more than is read
   * @param knowsFlakes test health knew tests that flake, and the queue acted on that
   */
  record Read(Past past, boolean cut, boolean knowsFlakes) {}

  static Read read(Handle handle, long queueId, Instant from, Instant to) {
    return new PastReader(handle, queueId).read(from, to);
  }

  private Read read(Instant from, Instant to) {
    List<PastStore.Ended> ended = PastStore.ended(handle, queueId, from, to, MOST_CHANGES + 1);
    boolean cut = ended.size() > MOST_CHANGES;
    var changes = new ArrayList<PastChange>();
    ended.stream().limit(MOST_CHANGES).forEach(row -> change(row).ifPresent(changes::add));
    Instant first =
        changes.stream().flatMap(c -> c.arrived().stream()).min(Instant::compareTo).orElse(to);
    List<PastStore.Ran> runs = PastStore.ran(handle, queueId, first, to, MOST_RUNS + 1);
    return new Read(
        new Past(changes, runs.stream().map(PastReader::run).toList()),
        cut || runs.size() > MOST_RUNS,
        PastStore.retriedFlakes(handle, queueId, first, to));
  }

  /** Empty where the forge never showed its head: it was never tested either. */
  private Optional<PastChange> change(PastStore.Ended row) {
    Function<String, ImpactedTargets> found = TargetSetStore.reader(handle, queueId);
    Entry entry = StoredJson.entry(row.content(), hash -> sets.computeIfAbsent(hash, found));
    return entry
        .admission()
        .map(Admission::head)
        .or(entry::head)
        .map(
            head ->
                new PastChange(
                    new Change(entry.pr(), head),
                    row.enteredAt(),
                    row.endedAt(),
                    row.state(),
                    row.reason(),
                    entry.knownTargets().filter(this::hasRoom),
                    origin(entry.snapshot())));
  }

  private boolean hasRoom(ImpactedTargets wanted) {
    targets += wanted.names().size();
    return targets <= MOST_TARGETS;
  }

  private static Origin origin(Optional<PullRequestSnapshot> snapshot) {
    return new Origin(
        snapshot.flatMap(PullRequestSnapshot::author),
        snapshot.flatMap(PullRequestSnapshot::changedFiles));
  }

  private static PastRun run(PastStore.Ran ran) {
    return new PastRun(
        ran.tested(),
        ran.standsOn(),
        switch (ran.status()) {
          case SUCCEEDED -> PastRun.Outcome.PASSED;
          case FAILED -> PastRun.Outcome.FAILED;
          case CANCELLED, IN_PROGRESS -> PastRun.Outcome.CANCELLED;
        },
        ran.built(),
        ran.createdAt(),
        ran.endedAt());
  }
}
