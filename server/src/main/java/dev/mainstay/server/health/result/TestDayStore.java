package dev.mainstay.server.health.result;

import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;

/**
 * The tables {@code test_hour} and {@code test_day}, and how rows of the one get into the other.
 * Rows are taken and their sum is put by one statement, so that readers of both tables are right at
 * any moment.
 */
public final class TestDayStore {
  private TestDayStore() {}

  public static void copy(Handle handle, HourRows hours) {
    hours.rows.copy(
        handle,
        """
        COPY test_hour_%d
          (repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days)
        FROM STDIN (FORMAT binary)
        """
            .formatted(hours.retentionDays()));
  }

  /** Locks the folding of a repository; false where another node is at it. */
  public static boolean lock(Handle handle, long repositoryId) {
    return handle
        .select("SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))", "fold " + repositoryId)
        .mapTo(Boolean.class)
        .one();
  }

  /** Folds the hours of one day that lie in a stretch of it, of every retention class. */
  public static void fold(
      Handle handle, long repositoryId, LocalDate day, Instant from, Instant to) {
    PartitionStore.CLASSES.forEach(days -> fold(handle, repositoryId, days, day, from, to));
  }

  private static void fold(
      Handle handle,
      long repositoryId,
      int retentionDays,
      LocalDate day,
      Instant from,
      Instant to) {
    handle
        .createUpdate(
            """
            WITH taken AS (
              DELETE FROM test_hour_%d WHERE repository_id = :repository AND hour >= :from AND hour < :to
              RETURNING test_id, extract(hour FROM hour AT TIME ZONE 'UTC')::int AS h, passes, failures, skips
            )
            INSERT INTO test_day AS t
              (repository_id, test_id, day, passes, failures, skips, passes_from, failures_from)
            SELECT :repository, test_id, :day, sum(passes), sum(failures), sum(skips), %s, %s
            FROM taken GROUP BY test_id ORDER BY test_id
            ON CONFLICT (repository_id, test_id, day) DO UPDATE SET
              passes = t.passes + excluded.passes, failures = t.failures + excluded.failures,
              skips = t.skips + excluded.skips,
              passes_from = %s, failures_from = %s
            """
                .formatted(
                    retentionDays,
                    byHour("coalesce(sum(passes) FILTER (WHERE h >= %1$d), 0)", 0),
                    byHour("coalesce(sum(failures) FILTER (WHERE h >= %1$d), 0)", 0),
                    byHour("t.passes_from[%1$d] + excluded.passes_from[%1$d]", 1),
                    byHour("t.failures_from[%1$d] + excluded.failures_from[%1$d]", 1)))
        .bind("repository", repositoryId)
        .bind("day", day)
        .bind("from", from)
        .bind("to", to)
        .execute();
  }

  private static String byHour(String expression, int first) {
    return IntStream.range(first, first + 24)
        .mapToObj(expression::formatted)
        .collect(Collectors.joining(", ", "ARRAY[", "]"));
  }

  /**
   * The counts of a test by the day, from a day on; days without any run are not there. Hours count
   * from the first that may not be folded yet.
   */
  public static Map<LocalDate, DayCounts> days(
      Handle handle, long repositoryId, UUID test, LocalDate first, Instant unfoldedFrom) {
    var days = new HashMap<LocalDate, DayCounts>();
    handle
        .createQuery(
            """
            SELECT day, passes, failures, skips FROM test_day
            WHERE repository_id = :repository AND test_id = :test AND day >= :first
            UNION ALL
            SELECT (hour AT TIME ZONE 'UTC')::date, passes, failures, skips FROM test_hour
            WHERE repository_id = :repository AND test_id = :test AND hour >= :unfolded
            """)
        .bind("repository", repositoryId)
        .bind("test", test)
        .bind("first", first)
        .bind("unfolded", unfoldedFrom)
        .map(
            (row, context) ->
                days.merge(
                    row.getObject(1, LocalDate.class),
                    new DayCounts(row.getLong(2), row.getLong(3), row.getLong(4)),
                    DayCounts::plus))
        .list();
    return days;
  }

  /** Forgets days before one, some at once; returns how many. */
  public static int deleteExpired(Handle handle, long repositoryId, LocalDate before, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM test_day WHERE repository_id = :repository AND (test_id, day) IN (
              SELECT test_id, day FROM test_day WHERE repository_id = :repository AND day < :before LIMIT :most)
            """)
        .bind("repository", repositoryId)
        .bind("before", before)
        .bind("most", most)
        .execute();
  }
}
