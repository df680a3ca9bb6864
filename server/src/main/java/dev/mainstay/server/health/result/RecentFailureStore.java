package dev.mainstay.server.health.result;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code recent_failure}. */
public final class RecentFailureStore {
  /** Longer than any monitor looks back. */
  public static final Duration KEPT = Duration.ofDays(32);

  private RecentFailureStore() {}

  public static void copy(Handle handle, RunRows runs) {
    runs.recentFailures.copy(
        handle,
        """
        COPY recent_failure (repository_id, test_id, failed_at, upload_id, shape, pr_number, title)
        FROM STDIN (FORMAT binary)
        """);
  }

  /** The number of pull requests in which each test failed since a time. */
  public static Map<UUID, Integer> pullRequests(
      Handle handle, long repositoryId, Collection<UUID> tests, Instant since) {
    var counts = new HashMap<UUID, Integer>();
    handle
        .createQuery(
            """
            SELECT test_id, count(DISTINCT pr_number) FROM recent_failure
            WHERE repository_id = :repository AND test_id = ANY (:tests) AND failed_at >= :since
            GROUP BY test_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("since", since)
        .map((row, context) -> Map.entry(row.getObject(1, UUID.class), row.getInt(2)))
        .forEach(e -> counts.put(e.getKey(), e.getValue()));
    return counts;
  }

  /** The number of tests that failed since a time, by the repository; none is not there. */
  public static Map<Long, Long> failed(
      Handle handle, Collection<Long> repositories, Instant since) {
    var counts = new HashMap<Long, Long>();
    // Nothing that failed since then came by an upload from before.
    handle
        .createQuery(
            """
            SELECT u.repository_id, count(DISTINCT f.test_id) FROM upload u
            JOIN recent_failure f ON f.repository_id = u.repository_id AND f.upload_id = u.id
            WHERE u.repository_id = ANY (:repositories) AND u.received_at >= :since AND f.failed_at >= :since
            GROUP BY u.repository_id
            """)
        .bindArray("repositories", Long.class, repositories)
        .bind("since", since)
        .map((row, context) -> counts.put(row.getLong(1), row.getLong(2)))
        .list();
    return counts;
  }

  /** The last failure of a test: its message in one line, and where its job is shown. */
  public record Last(String message, Instant at, Optional<String> ciUrl) {}

  /** The last failure of each test, as far back as they are kept here. */
  public static Map<UUID, Last> last(Handle handle, long repositoryId, Collection<UUID> tests) {
    var last = new HashMap<UUID, Last>();
    handle
        .createQuery(
            """
            SELECT wanted.id, f.title, f.failed_at, u.ci_url
            FROM unnest(CAST(:tests AS uuid[])) AS wanted (id)
            CROSS JOIN LATERAL (
              SELECT title, failed_at, upload_id FROM recent_failure
              WHERE repository_id = :repository AND test_id = wanted.id
              ORDER BY failed_at DESC, upload_id DESC LIMIT 1
            ) f
            LEFT JOIN upload u ON u.repository_id = :repository AND u.id = f.upload_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .map(
            (row, context) ->
                last.put(
                    row.getObject(1, UUID.class),
                    new Last(
                        row.getString(2),
                        row.getTimestamp(3).toInstant(),
                        Optional.ofNullable(row.getString(4)))))
        .list();
    return last;
  }

  /** How often each test failed after a time of its own; none is not there. */
  public static Map<UUID, Integer> failures(
      Handle handle, long repositoryId, Map<UUID, Instant> since) {
    var counts = new HashMap<UUID, Integer>();
    handle
        .createQuery(
            """
            SELECT f.test_id, count(*) FROM unnest(CAST(:tests AS uuid[]), CAST(:since AS timestamptz[])) AS w (id, since)
            JOIN recent_failure f ON f.repository_id = :repository AND f.test_id = w.id AND f.failed_at > w.since
            GROUP BY f.test_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, List.copyOf(since.keySet()))
        .bindArray("since", String.class, since.values().stream().map(Instant::toString).toList())
        .map((row, context) -> counts.put(row.getObject(1, UUID.class), row.getInt(2)))
        .list();
    return counts;
  }

  /** Failures of one shape. */
  public record Group(long shape, String title, int occurrences, Instant first, Instant last) {}

  /** The most frequent groups of each test since a time, each named by its latest failure. */
  public static Map<UUID, List<Group>> groups(
      Handle handle, long repositoryId, Collection<UUID> tests, Instant since, int most) {
    var groups = new HashMap<UUID, List<Group>>();
    handle
        .createQuery(
            """
            SELECT test_id, shape, title, n, first, last FROM (
              SELECT test_id, shape, (array_agg(title ORDER BY failed_at DESC, upload_id DESC))[1] AS title,
                count(*) AS n, min(failed_at) AS first, max(failed_at) AS last,
                row_number() OVER (PARTITION BY test_id ORDER BY count(*) DESC, max(failed_at) DESC, shape) AS place
              FROM recent_failure
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND failed_at >= :since
              GROUP BY test_id, shape
            ) ranked WHERE place <= :most ORDER BY test_id, place
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("since", since)
        .bind("most", most)
        .map(
            (row, context) ->
                Map.entry(
                    row.getObject(1, UUID.class),
                    new Group(
                        row.getLong(2),
                        row.getString(3),
                        row.getInt(4),
                        row.getTimestamp(5).toInstant(),
                        row.getTimestamp(6).toInstant())))
        .forEach(e -> groups.computeIfAbsent(e.getKey(), t -> new ArrayList<>()).add(e.getValue()));
    return groups;
  }

  /** The message and stack of a failure; empty where it is past its retention. */
  public record Example(String message, String stack) {}

  /** The latest failure of a group, with its stack. */
  public static Example example(Handle handle, long repositoryId, UUID test, Group group) {
    return handle
        .createQuery(
            """
            SELECT f.message, f.stack FROM recent_failure r
            JOIN failure f ON f.repository_id = r.repository_id AND f.test_id = r.test_id
              AND f.upload_id = r.upload_id AND f.ran_at = r.failed_at
            WHERE r.repository_id = :repository AND r.test_id = :test AND r.failed_at = :at AND r.shape = :shape
              AND f.repository_id = :repository AND f.test_id = :test AND f.ran_at = :at
            ORDER BY f.upload_id DESC, f.attempt DESC LIMIT 1
            """)
        .bind("repository", repositoryId)
        .bind("test", test)
        .bind("at", group.last())
        .bind("shape", group.shape())
        .map((row, context) -> new Example(row.getString(1), row.getString(2)))
        .findOne()
        .orElse(new Example("", ""));
  }

  /** Forgets failures older than anybody asks for, some at once; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM recent_failure WHERE repository_id = :repository AND ctid = ANY (ARRAY(
              SELECT ctid FROM recent_failure
              WHERE repository_id = :repository AND upload_id < coalesce((
                SELECT min(id) FROM upload WHERE repository_id = :repository AND received_at >= :before
              ), 9223372036854775807)
              LIMIT :most))
            """)
        .bind("repository", repositoryId)
        .bind("before", now.minus(KEPT))
        .bind("most", most)
        .execute();
  }
}
