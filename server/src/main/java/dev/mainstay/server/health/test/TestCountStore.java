package dev.mainstay.server.health.test;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;

/**
 * Counts the tests of repositories. All of them are counted by uploads; only those that are not
 * healthy, or that somebody decided about, are looked at.
 */
public final class TestCountStore {
  private TestCountStore() {}

  /** The number of a repository's tests, and of some kinds of them. */
  public record Counts(long total, long flaky, long broken, long quarantined) {
    public static final Counts NONE = new Counts(0, 0, 0, 0);
  }

  public static Map<Long, Counts> of(Handle handle, Collection<Long> repositories, Instant now) {
    var counts = new HashMap<Long, Counts>();
    handle
        .createQuery(
            """
            SELECT r.id, f.tests, n.flaky, n.broken,
              CASE WHEN s.quarantining_enabled THEN n.quarantined ELSE 0 END AS quarantined
            FROM unnest(CAST(:repositories AS bigint[])) AS r (id)
            JOIN result_feed_view f ON f.repository_id = r.id
            LEFT JOIN test_settings s ON s.repository_id = r.id
            CROSS JOIN LATERAL (
              SELECT count(*) FILTER (WHERE status = 'flaky') AS flaky,
                count(*) FILTER (WHERE status = 'broken') AS broken,
                count(*) FILTER (WHERE coalesce(
                  CASE WHEN coalesce(override_until > :now, true)
                    THEN quarantine_override = 'ALWAYS_QUARANTINE' END,
                  s.auto_quarantine AND status <> 'healthy')) AS quarantined
              FROM test t
              WHERE t.repository_id = r.id AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
            ) n
            """)
        .bindArray("repositories", Long.class, repositories)
        .bind("now", now)
        .map(
            (row, context) ->
                counts.put(
                    row.getLong("id"),
                    new Counts(
                        row.getLong("tests"),
                        row.getLong("flaky"),
                        row.getLong("broken"),
                        row.getLong("quarantined"))))
        .list();
    return counts;
  }
}
