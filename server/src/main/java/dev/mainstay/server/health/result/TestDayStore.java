package dev.mainstay.server.health.result;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Update;

/**
 * The tables {@code test_hour} and {@code test_day}, and how runs get into the latter. Runs are
 * counted where they lie until their hour is folded into its day; the counts of those that come
 * later wait as rows of hours for the next time. Readers of all three are right at any moment where
 * they ask by one statement for the runs since {@code folded_until}, which the transaction that
 * folds moves on.
 */
public final class TestDayStore {
  private static final String HOUR_OF_DAY = "date_part('hour', %s AT TIME ZONE 'UTC')::int";
  private static final String COUNTS =
      "count(*) FILTER (WHERE outcome = 0), count(*) FILTER (WHERE outcome IN (1, 2)), count(*) FILTER (WHERE outcome = 3)";

  private TestDayStore() {}

  public static void copy(Handle handle, HourRows hours) {
    hours.rows.copy(
        handle,
        """
        COPY test_hour_%d (repository_id, test_id, hour, passes, failures, skips, retention_days)
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

  /** A stretch of one day. */
  public record Stretch(Instant from, Instant to) {
    LocalDate day() {
      return LocalDate.ofInstant(from, ZoneOffset.UTC);
    }
  }

  /** Folds late hours, of every retention class. */
  public static void foldHours(Handle handle, long repositoryId, Stretch stretch) {
    for (int days : PartitionStore.CLASSES) {
      fold(
              handle,
              """
              DELETE FROM test_hour_%d WHERE repository_id = :repository AND hour >= :from AND hour < :to
              RETURNING test_id, %s, passes, failures, skips
              """
                  .formatted(days, HOUR_OF_DAY.formatted("hour")),
              repositoryId,
              stretch)
          .execute();
    }
  }

  /**
   * Folds runs, of every retention class, but for those of uploads that came after a stamp; no
   * upload before a number has any.
   */
  public static void foldRuns(
      Handle handle, long repositoryId, Stretch stretch, long stamp, long firstUpload) {
    for (int days : PartitionStore.CLASSES) {
      fold(
              handle,
              """
              SELECT test_id, %s, %s FROM run_%d
              WHERE repository_id = :repository AND ran_at >= :from AND ran_at < :to AND upload_id >= :first
                AND upload_id NOT IN (
                  SELECT upload_id FROM arrival WHERE repository_id = :repository AND stamp > :stamp)
              GROUP BY 1, 2
              """
                  .formatted(HOUR_OF_DAY.formatted("ran_at"), COUNTS, days),
              repositoryId,
              stretch)
          .bind("stamp", stamp)
          .bind("first", firstUpload)
          .execute();
    }
  }

  private static Update fold(Handle handle, String hours, long repositoryId, Stretch stretch) {
    return handle
        .createUpdate(
            """
            WITH taken (test_id, h, passes, failures, skips) AS (%s)
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
                    hours,
                    byHour("coalesce(sum(passes) FILTER (WHERE h >= %1$d), 0)", 0),
                    byHour("coalesce(sum(failures) FILTER (WHERE h >= %1$d), 0)", 0),
                    byHour("t.passes_from[%1$d] + excluded.passes_from[%1$d]", 1),
                    byHour("t.failures_from[%1$d] + excluded.failures_from[%1$d]", 1)))
        .bind("repository", repositoryId)
        .bind("day", stretch.day())
        .bind("from", stretch.from())
        .bind("to", stretch.to());
  }

  private static String byHour(String expression, int first) {
    return IntStream.range(first, first + 24)
        .mapToObj(expression::formatted)
        .collect(Collectors.joining(", ", "ARRAY[", "]"));
  }

  /** Counts runs of some uploads, from a time to another, by the hour: they came late. */
  public static void addHours(
      Handle handle, long repositoryId, List<Long> uploads, Instant from, Instant to) {
    for (int days : PartitionStore.CLASSES) {
      handle
          .createUpdate(
              """
              INSERT INTO test_hour_%1$d (repository_id, test_id, hour, passes, failures, skips, retention_days)
              SELECT repository_id, test_id, date_trunc('hour', ran_at AT TIME ZONE 'UTC') AT TIME ZONE 'UTC', %2$s, %1$d
              FROM run_%1$d
              WHERE repository_id = :repository AND upload_id = ANY (:uploads) AND ran_at >= :from AND ran_at < :to
              GROUP BY 1, 2, 3
              """
                  .formatted(days, COUNTS))
          .bind("repository", repositoryId)
          .bindArray("uploads", Long.class, uploads)
          .bind("from", from)
          .bind("to", to)
          .execute();
    }
  }

  /**
   * The counts of a test by the day, from a day on; days without any run are not there. Nothing
   * before a time is left to be folded.
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
            UNION ALL
            SELECT (ran_at AT TIME ZONE 'UTC')::date, %s FROM run
            WHERE repository_id = :repository AND test_id = :test AND ran_at >= :unfolded
              AND ran_at >= (SELECT folded_until FROM result_feed WHERE repository_id = :repository)
            GROUP BY 1
            """
                .formatted(COUNTS))
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
