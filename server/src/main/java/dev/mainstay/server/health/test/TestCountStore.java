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
            SELECT f.repository_id AS id, f.tests, n.flaky, n.broken,
              CASE WHEN s.quarantining_enabled
                THEN n.decided + CASE WHEN s.auto_quarantine THEN n.automatic ELSE 0 END END AS quarantined
            FROM result_feed_view f
            LEFT JOIN test_settings s ON s.repository_id = f.repository_id
            LEFT JOIN (
              SELECT repository_id, count(*) FILTER (WHERE status = 'flaky') AS flaky,
                count(*) FILTER (WHERE status = 'broken') AS broken,
                count(*) FILTER (WHERE CASE WHEN coalesce(override_until > :now, true)
                  THEN quarantine_override = 'ALWAYS_QUARANTINE' END) AS decided,
                count(*) FILTER (WHERE status <> 'healthy' AND (CASE WHEN coalesce(override_until > :now, true)
                  THEN quarantine_override END) IS NULL) AS automatic
              FROM test
              WHERE repository_id = ANY (:repositories) AND (status <> 'healthy' OR quarantine_override IS NOT NULL)
              GROUP BY repository_id
            ) n ON n.repository_id = f.repository_id
            WHERE f.repository_id = ANY (:repositories)
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
