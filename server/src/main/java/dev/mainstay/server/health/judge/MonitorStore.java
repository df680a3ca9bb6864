package dev.mainstay.server.health.judge;

import dev.mainstay.core.health.Monitor;
import dev.mainstay.core.health.MonitorId;
import dev.mainstay.core.health.MonitorRule;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code monitor} and {@code monitor_mute}. */
public final class MonitorStore {
  static final int MOST_MONITORS = 100;

  private MonitorStore() {}

  /** The monitors that a repository begins with, in this order. */
  static void insertFirst(Handle handle, long repositoryId, Instant now) {
    insert(
        handle,
        repositoryId,
        new Monitor(
            new MonitorId(UUID.randomUUID()),
            "Pass on retry",
            true,
            MonitorRule.PassOnRetry.DEFAULT),
        now);
    insert(
        handle,
        repositoryId,
        new Monitor(
            new MonitorId(UUID.randomUUID()), "Evidence", true, MonitorRule.Bayesian.DEFAULT),
        now.plusMillis(1));
  }

  static void insert(Handle handle, long repositoryId, Monitor monitor, Instant now) {
    handle.execute(
        """
        INSERT INTO monitor (repository_id, id, name, enabled, rule, created_at)
        VALUES (?, ?, ?, ?, ?::jsonb, ?)
        """,
        repositoryId,
        monitor.id().value(),
        monitor.name(),
        monitor.enabled(),
        rule(monitor),
        now);
  }

  static void update(Handle handle, long repositoryId, Monitor monitor) {
    handle.execute(
        """
        UPDATE monitor SET name = ?, enabled = ?, rule = ?::jsonb WHERE repository_id = ? AND id = ?
        """,
        monitor.name(),
        monitor.enabled(),
        rule(monitor),
        repositoryId,
        monitor.id().value());
  }

  static void delete(Handle handle, long repositoryId, MonitorId id) {
    handle.execute(
        "DELETE FROM monitor_mute WHERE repository_id = ? AND monitor_id = ?",
        repositoryId,
        id.value());
    handle.execute(
        "DELETE FROM monitor WHERE repository_id = ? AND id = ?", repositoryId, id.value());
  }

  /** All monitors of a repository, the oldest first. */
  public static List<Monitor> all(Handle handle, long repositoryId) {
    return handle
        .select(
            "SELECT * FROM monitor WHERE repository_id = ? ORDER BY created_at, id", repositoryId)
        .map(MonitorStore::read)
        .list();
  }

  static Optional<Monitor> find(Handle handle, long repositoryId, MonitorId id) {
    return handle
        .select(
            "SELECT * FROM monitor WHERE repository_id = ? AND id = ?", repositoryId, id.value())
        .map(MonitorStore::read)
        .findOne();
  }

  static void mute(
      Handle handle, long repositoryId, MonitorId id, UUID test, Instant until, String by) {
    handle.execute(
        """
        INSERT INTO monitor_mute (repository_id, monitor_id, test_id, muted_until, muted_by)
        VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (repository_id, monitor_id, test_id)
          DO UPDATE SET muted_until = excluded.muted_until, muted_by = excluded.muted_by
        """,
        repositoryId,
        id.value(),
        test,
        until,
        by);
  }

  static void unmute(Handle handle, long repositoryId, MonitorId id, UUID test) {
    handle.execute(
        "DELETE FROM monitor_mute WHERE repository_id = ? AND monitor_id = ? AND test_id = ?",
        repositoryId,
        id.value(),
        test);
  }

  /** The mutes of some tests: each monitor with the end of its mute. */
  public static Map<UUID, Map<MonitorId, Instant>> mutes(
      Handle handle, long repositoryId, Collection<UUID> tests, Instant now) {
    var mutes = new HashMap<UUID, Map<MonitorId, Instant>>();
    handle
        .createQuery(
            """
            SELECT test_id, monitor_id, muted_until FROM monitor_mute
            WHERE repository_id = :repository AND test_id = ANY (:tests) AND muted_until > :now
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("now", now)
        .map(
            (row, context) ->
                mutes
                    .computeIfAbsent(row.getObject(1, UUID.class), t -> new HashMap<>())
                    .put(
                        new MonitorId(row.getObject(2, UUID.class)),
                        row.getTimestamp(3).toInstant()))
        .list();
    return mutes;
  }

  public static int deleteExpired(Handle handle, Instant now) {
    return handle.execute("DELETE FROM monitor_mute WHERE muted_until < ?", now);
  }

  private static String rule(Monitor monitor) {
    return new String(Json.write(MonitorRules.write(monitor.rule())), StandardCharsets.UTF_8);
  }

  private static Monitor read(ResultSet row, StatementContext context) throws SQLException {
    return new Monitor(
        new MonitorId(row.getObject("id", UUID.class)),
        row.getString("name"),
        row.getBoolean("enabled"),
        MonitorRules.read(Json.readObject(row.getString("rule").getBytes(StandardCharsets.UTF_8))));
  }
}
