package dev.mainstay.server.health.result;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** Reads the last failures of tests, as far as the uploads up to a stamp tell. */
public final class FailingStore {
  private FailingStore() {}

  /** A test and when it failed, in milliseconds. */
  public record Failed(UUID test, long at) {}

  /** The last failure of each test in a window. Takes as long as the window has failures. */
  public static List<Failed> inWindow(
      Handle handle, long repositoryId, long stamp, Instant start, Instant end) {
    return handle
        .createQuery(
            """
            SELECT test_id, max(ran_at) FROM failure
            WHERE repository_id = :repository AND ran_at >= :start AND ran_at < :end
              AND upload_id NOT IN (
                SELECT upload_id FROM arrival WHERE repository_id = :repository AND stamp > :stamp)
            GROUP BY test_id
            """)
        .bind("repository", repositoryId)
        .bind("stamp", stamp)
        .bind("start", start)
        .bind("end", end)
        .setFetchSize(10_000)
        .map(
            (row, context) ->
                new Failed(row.getObject(1, UUID.class), row.getTimestamp(2).getTime()))
        .list();
  }

  /** The last failure of each test in the uploads after one stamp and up to another. */
  public static Map<UUID, Long> between(Handle handle, long repositoryId, long after, long upTo) {
    var failures = new HashMap<UUID, Long>();
    handle
        .createQuery(
            """
            SELECT f.test_id, max(f.failed_at) FROM arrival a
            JOIN recent_failure f ON f.repository_id = a.repository_id AND f.upload_id = a.upload_id
            WHERE a.repository_id = :repository AND a.stamp > :after AND a.stamp <= :upTo
            GROUP BY f.test_id
            """)
        .bind("repository", repositoryId)
        .bind("after", after)
        .bind("upTo", upTo)
        .map(
            (row, context) ->
                Map.entry(row.getObject(1, UUID.class), row.getTimestamp(2).getTime()))
        .forEach(e -> failures.put(e.getKey(), e.getValue()));
    return failures;
  }

  /** The last failure of some tests in a window. */
  public static List<Failed> ofTests(
      Handle handle,
      long repositoryId,
      Collection<UUID> tests,
      long stamp,
      Instant start,
      Instant end) {
    return handle
        .createQuery(
            """
            SELECT test_id, max(ran_at) FROM failure
            WHERE repository_id = :repository AND test_id = ANY (:tests) AND ran_at >= :start AND ran_at < :end
              AND upload_id NOT IN (
                SELECT upload_id FROM arrival WHERE repository_id = :repository AND stamp > :stamp)
            GROUP BY test_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("stamp", stamp)
        .bind("start", start)
        .bind("end", end)
        .map(
            (row, context) ->
                new Failed(row.getObject(1, UUID.class), row.getTimestamp(2).getTime()))
        .list();
  }
}
