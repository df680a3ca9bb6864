package dev.mainstay.server.queue.run;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.QueueEvent;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.rules.Engine;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.queue.store.EventStore;
import dev.mainstay.server.queue.store.OpenQueue;
import dev.mainstay.server.queue.store.QueueName;
import dev.mainstay.server.queue.store.QueueStore;
import dev.mainstay.server.queue.store.StoredJson;
import dev.mainstay.server.queue.store.TargetSetStore;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Plays the event log of a queue through the engine again, from the oldest state in it, and
 * compares where that leads with every later state in it and with the one that is stored.
 */
public final class LogReplay {
  private static final int ROWS_AT_ONCE = 1_000;

  private final Database database;

  public LogReplay(Database database) {
    this.database = database;
  }

  /** The end of a replay. Where a state differs, {@code difference} names the place. */
  public record Result(long events, Optional<String> difference) {
    public boolean isSame() {
      return difference.isEmpty();
    }
  }

  /** Empty where there is no such queue. The queue stands still meanwhile. */
  public Optional<Result> of(QueueName name) {
    return database.inTransaction(
        handle ->
            QueueStore.find(handle, name)
                .flatMap(row -> QueueStore.lockShared(handle, row.id()))
                .map(
                    row -> {
                      OpenQueue stored = QueueStore.load(handle, row);
                      var sets = TargetSetStore.reader(handle, row.id());
                      return EventStore.first(handle, row.id())
                          .map(
                              first ->
                                  play(
                                      stored,
                                      first,
                                      seq -> EventStore.after(handle, row.id(), seq, ROWS_AT_ONCE),
                                      sets))
                          .orElse(new Result(0, Optional.of("the log holds no state")));
                    }));
  }

  private static Result play(
      OpenQueue stored,
      long first,
      Function<Long, List<EventStore.Logged>> log,
      Function<String, ImpactedTargets> sets) {
    Optional<QueueState> state = Optional.empty();
    long events = 0;
    List<EventStore.Logged> page = log.apply(first - 1);
    while (!page.isEmpty()) {
      for (EventStore.Logged row : page) {
        if (StoredJson.isState(row.json())) {
          QueueState then = StoredJson.state(row.json(), sets);
          Optional<String> difference = state.flatMap(played -> differ(played, then));
          if (difference.isPresent()) {
            return new Result(events, difference);
          }
          state = Optional.of(then);
        } else {
          for (QueueEvent event : StoredJson.events(row.json(), sets)) {
            state = state.map(before -> Engine.on(event, before, row.at()).after());
            events++;
          }
        }
      }
      page = log.apply(page.getLast().seq());
    }
    return new Result(events, state.flatMap(played -> differ(played, stored.state())));
  }

  private static Optional<String> differ(QueueState played, QueueState stored) {
    if (played.equals(stored)) {
      return Optional.empty();
    }
    String a = StoredJson.state(played);
    String b = StoredJson.state(stored);
    int at = 0;
    while (at < Math.min(a.length(), b.length()) && a.charAt(at) == b.charAt(at)) {
      at++;
    }
    return Optional.of("played %s, stored %s".formatted(around(a, at), around(b, at)));
  }

  private static String around(String json, int at) {
    return "…" + json.substring(Math.max(0, at - 80), Math.min(json.length(), at + 80)) + "…";
  }
}
