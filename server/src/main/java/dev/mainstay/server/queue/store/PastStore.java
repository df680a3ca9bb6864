package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** What ended in a queue over a stretch of time, one by one. */
public final class PastStore {
  private PastStore() {}

  /** An entry that has ended; {@code content} is the entry itself as it was before its end. */
  public record Ended(
      PullRequestState state,
      ReasonCode reason,
      Optional<Instant> enteredAt,
      Instant endedAt,
      String content) {}

  /** Those that ended last. */
  public static List<Ended> ended(Handle handle, long queueId, Instant from, Instant to, int most) {
    return handle
        .select(
            """
            SELECT state, reason_code, entered_at, ended_at, content FROM pull_request
            WHERE queue_id = ? AND ended_at >= ? AND ended_at < ?
            ORDER BY ended_at DESC, entry DESC LIMIT ?
            """,
            queueId,
            from,
            to,
            most)
        .map(
            (row, context) ->
                new Ended(
                    PullRequestState.valueOf(row.getString(1)),
                    ReasonCode.valueOf(row.getString(2)),
                    time(row, 3),
                    time(row, 4).orElseThrow(),
                    row.getString(5)))
        .list();
  }

  private static Optional<Instant> time(ResultSet row, int column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(at -> at.toInstant());
  }

  /** A run that has ended; {@code built} where its test branch was made. */
  public record Ran(
      TestRunStore.Status status,
      boolean built,
      Instant createdAt,
      Instant endedAt,
      List<Change> tested,
      List<Change> standsOn) {}

  /** Runs of pull requests, in the order they began: of too many, the last. */
  public static List<Ran> ran(Handle handle, long queueId, Instant from, Instant to, int most) {
    return handle
        .select(
            """
            SELECT status, built_at IS NOT NULL, created_at, ended_at, tested, stands_on FROM test_run
            WHERE queue_id = ? AND created_at >= ? AND created_at < ? AND ended_at IS NOT NULL
              AND kind <> 'TARGET'
            ORDER BY created_at DESC, run DESC LIMIT ?
            """,
            queueId,
            from,
            to,
            most)
        .map(
            (row, context) ->
                new Ran(
                    TestRunStore.Status.valueOf(row.getString(1)),
                    row.getBoolean(2),
                    time(row, 3).orElseThrow(),
                    time(row, 4).orElseThrow(),
                    StoredJson.changes(row.getString(5)).changes(),
                    StoredJson.changes(row.getString(6)).changes()))
        .list()
        .reversed();
  }

  /** Something was tested again because tests that are known as flaky had failed. */
  public static boolean retriedFlakes(Handle handle, long queueId, Instant from, Instant to) {
    return handle
        .select(
            """
            SELECT EXISTS (SELECT 1 FROM pull_request_transition
              WHERE queue_id = ? AND at >= ? AND at < ? AND reason_code = 'FLAKE_RETRY')
            """,
            queueId,
            from,
            to)
        .mapTo(Boolean.class)
        .one();
  }
}
