package dev.mainstay.server.health;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads all that the rates of some tests are made of, and their pull requests, at one go. */
final class NumbersStore {
  private NumbersStore() {}

  /** What a part of an answer tells. */
  enum Kind {
    /** Whole hours, from roll-ups. */
    HOURS,
    /** The runs from the beginning of the 7 days to the end of that hour. */
    EDGE_OF_WEEK,
    /** The same of the 24 hours. */
    EDGE_OF_DAY,
    /** In how many pull requests a test failed. */
    PULL_REQUESTS
  }

  /** What a test did in some hours that follow each other. */
  @SuppressWarnings("ArrayRecordComponent") // Never compared.
  record Counts(Kind kind, UUID test, Instant from, int[] passes, int[] failures) {}

  static List<Counts> read(
      Handle handle,
      long repositoryId,
      Collection<UUID> tests,
      Optional<Instant> unfoldedFrom,
      Instant week,
      Instant day) {
    LocalDate firstDay = LocalDate.ofInstant(week, ZoneOffset.UTC);
    LocalDate secondDay = LocalDate.ofInstant(day, ZoneOffset.UTC);
    return handle
        .createQuery(
            """
            SELECT 'HOURS' AS kind, test_id, day::timestamptz AS start,
              CASE WHEN day IN (:firstDay, :secondDay) THEN hourly_passes ELSE ARRAY[passes] END AS passes,
              CASE WHEN day IN (:firstDay, :secondDay) THEN hourly_failures ELSE ARRAY[failures] END AS failures
            FROM test_day WHERE repository_id = :repository AND test_id = ANY (:tests) AND day >= :firstDay
            UNION ALL
            SELECT 'HOURS', test_id, hour, ARRAY[sum(passes)::int], ARRAY[sum(failures)::int] FROM test_hour
            WHERE repository_id = :repository AND test_id = ANY (:tests) AND hour >= :unfolded
            GROUP BY test_id, hour
            UNION ALL
            SELECT 'EDGE_OF_WEEK', test_id, NULL, ARRAY[(count(*) FILTER (WHERE outcome = 0))::int],
              ARRAY[(count(*) FILTER (WHERE outcome IN (1, 2)))::int]
            FROM run WHERE repository_id = :repository AND test_id = ANY (:tests)
              AND ran_at >= :week AND ran_at < :weekEnd GROUP BY test_id
            UNION ALL
            SELECT 'EDGE_OF_DAY', test_id, NULL, ARRAY[(count(*) FILTER (WHERE outcome = 0))::int],
              ARRAY[(count(*) FILTER (WHERE outcome IN (1, 2)))::int]
            FROM run WHERE repository_id = :repository AND test_id = ANY (:tests)
              AND ran_at >= :day AND ran_at < :dayEnd GROUP BY test_id
            UNION ALL
            SELECT 'PULL_REQUESTS', test_id, NULL, NULL, ARRAY[count(DISTINCT pr_number)::int] FROM recent_failure
            WHERE repository_id = :repository AND test_id = ANY (:tests) AND failed_at >= :week
            GROUP BY test_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("firstDay", firstDay)
        .bind("secondDay", secondDay)
        .bind("unfolded", unfoldedFrom.filter(week::isBefore).orElse(week))
        .bind("week", week)
        .bind("weekEnd", hourAfter(week))
        .bind("day", day)
        .bind("dayEnd", hourAfter(day))
        .map(NumbersStore::read)
        .list();
  }

  static Instant hourAfter(Instant time) {
    return time.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
  }

  private static Counts read(ResultSet row, StatementContext context) throws SQLException {
    var start = row.getTimestamp(3);
    return new Counts(
        Kind.valueOf(row.getString(1)),
        row.getObject(2, UUID.class),
        start == null ? Instant.EPOCH : start.toInstant(),
        numbers(row.getArray(4)),
        numbers(row.getArray(5)));
  }

  private static int[] numbers(Array array) throws SQLException {
    if (array == null) {
      return new int[0];
    }
    Integer[] boxed = (Integer[]) array.getArray();
    int[] numbers = new int[boxed.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = boxed[i];
    }
    return numbers;
  }
}
