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
        COPY test_hour
          (repository_id, test_id, hour, last_failed_at, passes, failures, skips, retention_days)
        FROM STDIN (FORMAT binary)
        """);
  }

  /** Locks the folding of a repository; false where another node is at it. */
  public static boolean lock(Handle handle, long repositoryId) {
    return handle
        .select("SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0))", "fold " + repositoryId)
        .mapTo(Boolean.class)
        .one();
  }

  /** Folds the hours of one day that lie in a stretch of it; returns how many tests had some. */
  public static int fold(
      Handle handle, long repositoryId, LocalDate day, Instant from, Instant to) {
    return handle
        .createUpdate(
            """
            WITH taken AS (
              DELETE FROM test_hour WHERE repository_id = :repository AND hour >= :from AND hour < :to
              RETURNING test_id, extract(hour FROM hour)::int AS h, passes, failures, skips
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

  /** Forgets days past their organization's retention, some at a time; returns how many. */
  public static int deleteExpired(Handle handle, Instant now, int most) {
    return handle
        .createUpdate(
            """
            DELETE FROM test_day d USING (
              SELECT d.repository_id, d.test_id, d.day FROM repository_view r
              JOIN test_day d ON d.repository_id = r.id
                AND d.day < CAST(:now AS timestamptz)::date - (r.retention_days + 2)
              LIMIT :most
            ) old WHERE d.repository_id = old.repository_id AND d.test_id = old.test_id AND d.day = old.day
            """)
        .bind("now", now)
        .bind("most", most)
        .execute();
  }
}
