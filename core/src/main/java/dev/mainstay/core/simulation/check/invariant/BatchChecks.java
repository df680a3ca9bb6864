package dev.mainstay.core.simulation.check.invariant;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.Group;
import dev.mainstay.core.queue.QueueAction.StartRun;
import dev.mainstay.core.queue.QueueSettings.Sizing;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunKind;
import java.util.ArrayList;
import java.util.List;

/** A batch holds enough, not too much, and only what belongs together. */
final class BatchChecks {
  void after(Observation o) {
    o.actions(StartRun.class)
        .filter(a -> a.kind() == RunKind.MAIN)
        .flatMap(a -> o.after().groupOf(a.run()).stream())
        .filter(g -> g.pullRequests().stream().noneMatch(pr -> Lineup.inLine(pr, o.before())))
        .forEach(g -> formed(g, o));
  }

  private static void formed(Group group, Observation o) {
    QueueState after = o.after();
    List<Entry> members =
        group.pullRequests().stream().flatMap(pr -> after.entry(pr).stream()).toList();
    boolean cleared = members.stream().allMatch(e -> e.companions().isPresent());
    int most = most(after);
    boolean alone = members.stream().anyMatch(e -> e.noBatch() || e.priority().isUrgent());
    if (!cleared && (members.size() > most || (alone && members.size() > 1))) {
      throw broken(group, "is too large");
    }
    if (after.settings().isParallel() && !cleared && !isConnected(group.members(), after)) {
      throw broken(group, "holds what does not meet");
    }
    boolean early =
        members.size() < most
            && !cleared
            && !alone
            && !touchesNothing(group, after)
            && after.settings().batchSizing() == Sizing.FIXED
            && members.stream().noneMatch(e -> Lineup.couldStart(e, after, o.now()));
    if (early) {
      throw broken(group, "started before it was full or had waited long enough");
    }
  }

  /** A queue that sizes by itself puts no more together than it takes to test everybody at once. */
  private static int most(QueueState state) {
    int slots = state.settings().concurrency();
    return state.settings().batchSizing() == Sizing.FIXED || !state.settings().batch()
        ? state.settings().groupSize()
        : (state.entries().size() + slots - 1) / slots;
  }

  private static boolean touchesNothing(Group group, QueueState state) {
    return state.settings().isParallel()
        && group.members().stream().allMatch(c -> Lineup.targets(c, state).isEmpty());
  }

  /** Each member meets one of those before it. */
  private static boolean isConnected(List<Change> members, QueueState state) {
    var before = new ArrayList<Change>();
    for (Change member : members) {
      boolean meets =
          before.stream()
              .anyMatch(b -> Lineup.targets(b, state).meets(Lineup.targets(member, state)));
      if (!before.isEmpty() && !meets) {
        return false;
      }
      before.add(member);
    }
    return true;
  }

  private static InvariantBroken broken(Group group, String what) {
    return new InvariantBroken(
        Invariant.BATCHES, "The batch %s %s".formatted(group.pullRequests(), what));
  }
}
