package dev.mainstay.server.event;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code webhook_attempt}. */
final class AttemptStore {
  private AttemptStore() {}

  /** An attempt of an endpoint that may be gone meanwhile: then nothing is kept. */
  static void insert(Handle handle, UUID webhook, Attempt attempt) {
    handle.execute(
        """
        INSERT INTO webhook_attempt (webhook_id, id, event_number, event_id, kind, attempt, at, took_ms, outcome,
          status, sentence, next_at, sent, answered)
        SELECT w.id, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM webhook w WHERE w.id = ? FOR KEY SHARE
        """,
        attempt.id(),
        attempt.eventNumber(),
        attempt.eventId(),
        attempt.kind(),
        attempt.attempt(),
        attempt.at(),
        (int) attempt.took().toMillis(),
        attempt.outcome().label(),
        attempt.status(),
        attempt.sentence(),
        attempt.nextAt(),
        attempt.sent(),
        attempt.answered(),
        webhook);
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
