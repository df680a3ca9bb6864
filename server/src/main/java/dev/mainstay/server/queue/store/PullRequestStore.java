package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.LandedHow;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.ReasonCode;
import dev.mainstay.core.queue.RunId;
import dev.mainstay.core.queue.Transition;
import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code pull_request} and {@code pull_request_transition}. */
public final class PullRequestStore {
  private PullRequestStore() {}

  /** An open entry. */
  record Open(String content, OpenQueue.Beside beside) {}

  /**
   * An entry as it is, or how it ended; {@code content} is the entry itself. {@code movedAt} is its
   * last transition.
   */
  public record Row(
      long entry,
      int number,
      PullRequestState state,
      Instant stateChangedAt,
      Reason reason,
      OpenQueue.Beside beside,
      Optional<Long> run,
      boolean bisected,
      Instant submittedAt,
      Optional<Instant> endedAt,
      Instant movedAt,
      Optional<Landed> landed,
      String content) {}

  /** How an entry came onto the target branch, and the commit that branch then ended in. */
  public record Landed(String sha, LandedHow how) {}

  static List<Open> open(Handle handle, long queueId) {
    return handle
        .select(
            """
            SELECT content, title, author, url, used_default_priority FROM pull_request
            WHERE queue_id = ? AND open ORDER BY entry
            """,
            queueId)
        .map((row, context) -> new Open(row.getString("content"), beside(row)))
        .list();
  }

  /** Saves entries, and adds the time that each spent in the state it was in until now. */
  public static void save(Convoy convoy, long queueId, Collection<Row> rows) {
    if (rows.isEmpty()) {
      return;
    }
    convoy.add(
        """
            INSERT INTO pull_request AS p (queue_id, entry, number, open, state, state_changed_at, reason_code, reason,
              used_default_priority, title, author, url, run, bisected, submitted_at, ended_at, moved_at, landed_sha,
              landed_how, content, entered_at)
            SELECT :queue, r.entry, r.number, r.ended_at = 0, r.state,
              timestamptz 'epoch' + r.state_changed_at * interval '1 microsecond', r.reason_code, r.reason,
              r.by_default, r.title, r.author, r.url, nullif(r.run, 0), r.bisected,
              timestamptz 'epoch' + r.submitted_at * interval '1 microsecond',
              timestamptz 'epoch' + nullif(r.ended_at, 0) * interval '1 microsecond',
              timestamptz 'epoch' + r.moved_at * interval '1 microsecond', nullif(r.landed_sha, ''),
              nullif(r.landed_how, ''), CAST(r.content AS json),
              CASE WHEN r.state NOT IN ('NOT_READY', 'MERGED', 'FAILED', 'CANCELLED')
                THEN timestamptz 'epoch' + r.moved_at * interval '1 microsecond' END
            FROM unnest(:entry, :number, :state, :stateChangedAt, :reasonCode, :reason, :byDefault, :title, :author,
              :url, :run, :bisected, :submittedAt, :endedAt, :movedAt, :landedSha, :landedHow, :content)
              AS r (entry, number, state, state_changed_at, reason_code, reason, by_default, title, author,
                url, run, bisected, submitted_at, ended_at, moved_at, landed_sha, landed_how, content)
            ON CONFLICT (queue_id, entry) DO UPDATE SET
              open = excluded.open, state = excluded.state, state_changed_at = excluded.state_changed_at,
              reason_code = excluded.reason_code, reason = excluded.reason,
              used_default_priority = excluded.used_default_priority,
              title = excluded.title, author = excluded.author, url = excluded.url,
              run = coalesce(excluded.run, p.run), bisected = excluded.bisected, ended_at = excluded.ended_at,
              moved_at = greatest(p.moved_at, excluded.moved_at), landed_sha = excluded.landed_sha,
              landed_how = excluded.landed_how, content = excluded.content,
              entered_at = coalesce(p.entered_at, excluded.entered_at),
              pending_time = p.pending_time + CASE WHEN p.state = 'PENDING'
                THEN greatest(excluded.moved_at - p.moved_at, '0') ELSE '0' END,
              testing_time = p.testing_time + CASE WHEN p.state = 'TESTING'
                THEN greatest(excluded.moved_at - p.moved_at, '0') ELSE '0' END,
              queue_time = p.queue_time + CASE WHEN p.state <> 'NOT_READY'
                THEN greatest(excluded.moved_at - p.moved_at, '0') ELSE '0' END
            """,
        new Convoy.Values()
            .with("queue", queueId)
            .with("entry", Columns.numbers(rows, Row::entry))
            .with("number", Columns.numbers(rows, Row::number))
            .with("state", Columns.texts(rows, r -> r.state().name()))
            .with("stateChangedAt", Columns.times(rows, Row::stateChangedAt))
            .with("reasonCode", Columns.texts(rows, r -> r.reason().code().name()))
            .with("reason", Columns.texts(rows, r -> r.reason().sentence()))
            .with("byDefault", Columns.flags(rows, r -> r.beside().usedDefaultPriority()))
            .with("title", Columns.texts(rows, r -> r.beside().about().title()))
            .with("author", Columns.texts(rows, r -> r.beside().about().author()))
            .with("url", Columns.texts(rows, r -> r.beside().about().url()))
            .with("run", Columns.numbers(rows, r -> r.run().orElse(0L)))
            .with("bisected", Columns.flags(rows, Row::bisected))
            .with("submittedAt", Columns.times(rows, Row::submittedAt))
            .with("endedAt", Columns.times(rows, r -> r.endedAt().orElse(Instant.EPOCH)))
            .with("movedAt", Columns.times(rows, Row::movedAt))
            .with("landedSha", Columns.texts(rows, r -> r.landed().map(Landed::sha).orElse("")))
            .with(
                "landedHow",
                Columns.texts(rows, r -> r.landed().map(l -> l.how().name()).orElse("")))
            .with("content", Columns.texts(rows, Row::content)));
  }

  /** A transition, and the run that it is about. */
  public record Moved(Transition transition, Optional<RunId> run) {}

  public static void saveTransitions(Convoy convoy, long queueId, List<Moved> transitions) {
    if (transitions.isEmpty()) {
      return;
    }
    convoy.add(
        """
            INSERT INTO pull_request_transition (queue_id, entry, at, from_state, to_state, reason_code, reason, run)
            SELECT :queue, t.entry, timestamptz 'epoch' + t.at * interval '1 microsecond', nullif(t.from_state, ''),
              t.to_state, t.reason_code, t.reason, nullif(t.run, 0)
            FROM unnest(:entry, :at, :from, :to, :code, :reason, :run) WITH ORDINALITY
              AS t (entry, at, from_state, to_state, reason_code, reason, run, place)
            ORDER BY t.place
            """,
        new Convoy.Values()
            .with("queue", queueId)
            .with("entry", Columns.numbers(transitions, m -> m.transition().entry().number()))
            .with("at", Columns.times(transitions, m -> m.transition().at()))
            .with("from", Columns.texts(transitions, m -> from(m.transition())))
            .with("to", Columns.texts(transitions, m -> m.transition().to().name()))
            .with("code", Columns.texts(transitions, m -> m.transition().reason().code().name()))
            .with("reason", Columns.texts(transitions, m -> m.transition().reason().sentence()))
            .with("run", Columns.numbers(transitions, m -> m.run().map(RunId::number).orElse(0L))));
  }

  private static String from(Transition transition) {
    return transition.from().map(PullRequestState::name).orElse("");
  }

  /** The newest entry of a pull request. */
  public static Optional<Row> newest(Handle handle, long queueId, PullRequestRef pr) {
    return newest(handle, queueId, pr, 1).stream().findFirst();
  }

  /** The newest entries of a pull request, the newest first. */
  public static List<Row> newest(Handle handle, long queueId, PullRequestRef pr, int most) {
    return handle
        .select(
            "SELECT * FROM pull_request WHERE queue_id = ? AND number = ? ORDER BY entry DESC LIMIT ?",
            queueId,
            pr.number(),
            most)
        .map(PullRequestStore::row)
        .list();
  }

  /**
   * Which entries are asked for; the times are about the last change of state. {@code ended}: only
   * those that have ended, the last to end first.
   */
  public record Wanted(
      Optional<PullRequestState> state,
      Optional<ReasonCode> reason,
      Optional<Instant> since,
      Optional<Instant> until,
      boolean ended) {}

  /** The entry that a page begins after, and when it ended where that is the order. */
  public record Before(Instant endedAt, long entry) {
    public static final Before ALL =
        new Before(Instant.parse("9999-01-01T00:00:00Z"), Long.MAX_VALUE);
  }

  /** A page of entries, the newest first, or the last to end. */
  public static List<Row> page(
      Handle handle, long queueId, Wanted wanted, Before before, int most) {
    var query =
        handle.createQuery(
            """
            SELECT * FROM pull_request
            WHERE queue_id = :queue AND %s
              AND (CAST(:state AS text) IS NULL OR state = :state)
              AND (CAST(:reason AS text) IS NULL OR reason_code = :reason)
              AND state_changed_at >= coalesce(CAST(:since AS timestamptz), '-infinity')
              AND state_changed_at < coalesce(CAST(:until AS timestamptz), 'infinity')
              AND (open OR (ended_at >= coalesce(CAST(:since AS timestamptz), '-infinity')
                AND ended_at < coalesce(CAST(:until AS timestamptz), 'infinity')))
            ORDER BY %s LIMIT :most
            """
                .formatted(
                    wanted.ended() ? "(ended_at, entry) < (:endedAt, :before)" : "entry < :before",
                    wanted.ended() ? "ended_at DESC, entry DESC" : "entry DESC"));
    if (wanted.ended()) {
      query.bind("endedAt", before.endedAt());
    }
    return query
        .bind("queue", queueId)
        .bind("before", before.entry())
        .bind("state", wanted.state().map(PullRequestState::name))
        .bind("reason", wanted.reason().map(ReasonCode::name))
        .bind("since", wanted.since())
        .bind("until", wanted.until())
        .bind("most", most)
        .map(PullRequestStore::row)
        .list();
  }

  /** An entry that ended, with the seconds it spent pending, testing and in the queue. */
  public record Ended(
      PullRequestState state, boolean bisected, double pending, double testing, double inQueue) {}

  public static List<Ended> endedSince(Handle handle, long queueId, Instant since) {
    return handle
        .select(
            """
            SELECT state, bisected, extract(epoch FROM pending_time), extract(epoch FROM testing_time),
              extract(epoch FROM queue_time)
            FROM pull_request WHERE queue_id = ? AND ended_at > ?
            """,
            queueId,
            since)
        .map(
            (row, context) ->
                new Ended(
                    PullRequestState.valueOf(row.getString(1)),
                    row.getBoolean(2),
                    row.getDouble(3),
                    row.getDouble(4),
                    row.getDouble(5)))
        .list();
  }

  /** The number of tests that began again, of entries in a bisection or of the others. */
  public static int restartsSince(Handle handle, long queueId, Instant since, boolean bisected) {
    return handle
        .select(
            """
            SELECT count(*) FROM pull_request_transition t
            JOIN pull_request p ON p.queue_id = t.queue_id AND p.entry = t.entry
            WHERE t.queue_id = ? AND t.at > ? AND t.to_state = 'TESTING' AND p.bisected = ?
              AND EXISTS (SELECT 1 FROM pull_request_transition e
                WHERE e.queue_id = t.queue_id AND e.entry = t.entry AND e.number < t.number AND e.to_state = 'TESTING')
            """,
            queueId,
            since,
            bisected)
        .mapTo(Integer.class)
        .one();
  }

  private static Row row(ResultSet row, StatementContext context) throws SQLException {
    var ended = row.getTimestamp("ended_at");
    long run = row.getLong("run");
    boolean hasRun = !row.wasNull();
    return new Row(
        row.getLong("entry"),
        row.getInt("number"),
        PullRequestState.valueOf(row.getString("state")),
        row.getTimestamp("state_changed_at").toInstant(),
        new Reason(ReasonCode.valueOf(row.getString("reason_code")), row.getString("reason")),
        beside(row),
        hasRun ? Optional.of(run) : Optional.empty(),
        row.getBoolean("bisected"),
        row.getTimestamp("submitted_at").toInstant(),
        ended == null ? Optional.empty() : Optional.of(ended.toInstant()),
        row.getTimestamp("moved_at").toInstant(),
        landed(row),
        row.getString("content"));
  }

  private static Optional<Landed> landed(ResultSet row) throws SQLException {
    String how = row.getString("landed_how");
    return how == null
        ? Optional.empty()
        : Optional.of(new Landed(row.getString("landed_sha"), LandedHow.valueOf(how)));
  }

  private static OpenQueue.Beside beside(ResultSet row) throws SQLException {
    return new OpenQueue.Beside(
        new Caption(row.getString("title"), row.getString("author"), row.getString("url")),
        row.getBoolean("used_default_priority"));
  }
}
