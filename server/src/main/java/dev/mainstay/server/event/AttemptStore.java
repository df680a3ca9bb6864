package dev.mainstay.server.event;

import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jdbi.v3.core.Handle;

/** The table {@code webhook_attempt}. */
final class AttemptStore {
  private AttemptStore() {}

  /** An attempt, and the endpoint it was made at. */
  record Made(UUID webhook, Attempt attempt) {}

  /** Attempts at endpoints; of one that is gone meanwhile nothing is kept. */
  static void insert(Convoy convoy, Collection<Made> all) {
    if (all.isEmpty()) {
      return;
    }
    convoy.add(
        """
        INSERT INTO webhook_attempt (webhook_id, id, event_number, event_id, kind, attempt, at, took_ms, outcome,
          status, sentence, next_at, sent, answered)
        SELECT w.id, CAST(a.id AS uuid), a.event_number, CAST(a.event_id AS uuid), a.kind, a.attempt,
          timestamptz 'epoch' + a.at * interval '1 microsecond', a.took, a.outcome, nullif(a.status, 0), a.sentence,
          timestamptz 'epoch' + nullif(a.next_at, 0) * interval '1 microsecond', a.sent, a.answered
        FROM unnest(:webhooks, :ids, :numbers, :events, :kinds, :attempts, :times, :took, :outcomes, :statuses,
            :sentences, :next, :sent, :answered) WITH ORDINALITY
          AS a (webhook, id, event_number, event_id, kind, attempt, at, took, outcome, status, sentence, next_at,
            sent, answered, place)
        JOIN webhook w ON w.id = CAST(a.webhook AS uuid)
        ORDER BY a.place FOR KEY SHARE OF w
        """,
        new Convoy.Values()
            .with("webhooks", Columns.texts(all, m -> m.webhook().toString()))
            .with("ids", texts(all, a -> a.id().toString()))
            .with("numbers", numbers(all, Attempt::eventNumber))
            .with("events", texts(all, a -> a.eventId().toString()))
            .with("kinds", texts(all, Attempt::kind))
            .with("attempts", numbers(all, Attempt::attempt))
            .with("times", Columns.times(all, m -> m.attempt().at()))
            .with("took", numbers(all, a -> a.took().toMillis()))
            .with("outcomes", texts(all, a -> a.outcome().label()))
            .with("statuses", numbers(all, a -> a.status().orElse(0)))
            .with("sentences", texts(all, Attempt::sentence))
            .with("next", Columns.times(all, m -> m.attempt().nextAt().orElse(Instant.EPOCH)))
            .with("sent", texts(all, Attempt::sent))
            .with("answered", texts(all, Attempt::answered)));
  }

  private static Columns.Column texts(Collection<Made> all, Function<Attempt, String> column) {
    return Columns.texts(all, made -> column.apply(made.attempt()));
  }

  private static Columns.Column numbers(Collection<Made> all, ToLongFunction<Attempt> column) {
    return Columns.numbers(all, made -> column.applyAsLong(made.attempt()));
  }

  /** An attempt at its place in the order of lists. */
  record Listed(long number, Attempt attempt) {}

  /** The attempts of an endpoint before one, the newest first. */
  static List<Listed> page(Handle handle, UUID webhook, long before, int most) {
    return handle
        .select(
            "SELECT * FROM webhook_attempt WHERE webhook_id = ? AND number < ? ORDER BY number DESC LIMIT ?",
            webhook,
            before,
            most)
        .map((row, context) -> new Listed(row.getLong("number"), read(row)))
        .list();
  }

  static Optional<Attempt> find(Handle handle, UUID webhook, UUID id) {
    return handle
        .select("SELECT * FROM webhook_attempt WHERE webhook_id = ? AND id = ?", webhook, id)
        .map((row, context) -> read(row))
        .findOne();
  }

  /** Forgets attempts before a time, some at once; returns how many. */
  static int deleteBefore(Handle handle, Instant before, int most) {
    return handle.execute(
        """
        DELETE FROM webhook_attempt a USING (
          SELECT webhook_id, number FROM webhook_attempt WHERE at < ? LIMIT ?) old
        WHERE a.webhook_id = old.webhook_id AND a.number = old.number
        """,
        before,
        most);
  }

  /** Forgets the oldest attempts of endpoints that have more than so many; returns how many. */
  static int deleteBeyond(Handle handle, int kept) {
    return handle.execute(
        """
        DELETE FROM webhook_attempt a USING (
          SELECT w.id, (SELECT number FROM webhook_attempt WHERE webhook_id = w.id
            ORDER BY number DESC OFFSET ? LIMIT 1) AS last FROM webhook w) old
        WHERE a.webhook_id = old.id AND a.number <= old.last
        """,
        kept);
  }

  private static Attempt read(ResultSet row) throws SQLException {
    int status = row.getInt("status");
    boolean hasStatus = !row.wasNull();
    return new Attempt(
        row.getObject("id", UUID.class),
        row.getLong("event_number"),
        row.getObject("event_id", UUID.class),
        row.getString("kind"),
        row.getInt("attempt"),
        row.getTimestamp("at").toInstant(),
        Duration.ofMillis(row.getInt("took_ms")),
        Attempt.Outcome.valueOf(row.getString("outcome").toUpperCase(Locale.ROOT)),
        hasStatus ? Optional.of(status) : Optional.empty(),
        row.getString("sentence"),
        Optional.ofNullable(row.getTimestamp("next_at")).map(Timestamp::toInstant),
        row.getString("sent"),
        row.getString("answered"));
  }
}
