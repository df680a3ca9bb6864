package dev.mainstay.server.health.result;

import dev.mainstay.server.health.result.Rates.Numbers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * Reads the numbers of some tests at one go. What is folded comes from roll-ups; what is not, and
 * the hour in which a stretch begins, is counted run by run, to the millisecond.
 */
public final class NumbersStore {
  private NumbersStore() {}

  public static Map<UUID, Numbers> read(
      Handle handle,
      long repositoryId,
      Collection<UUID> tests,
      Optional<Instant> unfoldedFrom,
      Instant now) {
    Instant week = now.minus(Rates.WEEK);
    Instant day = now.minus(Rates.DAY);
    Instant weekEnd = hourAfter(week);
    Instant unfolded = unfoldedFrom.filter(week::isBefore).orElse(week);
    var numbers = new HashMap<UUID, Numbers>();
    handle
        .createQuery(
            """
            SELECT test_id, sum(wp) AS wp, sum(wf) AS wf, sum(dp) AS dp, sum(df) AS df, sum(prs) AS prs FROM (
              SELECT test_id,
                CASE WHEN day > :firstDay THEN passes ELSE
                  passes_from[:firstHour] END AS wp,
                CASE WHEN day > :firstDay THEN failures ELSE
                  failures_from[:firstHour] END AS wf,
                CASE WHEN day > :secondDay THEN passes WHEN day = :secondDay THEN
                  passes_from[:secondHour] END AS dp,
                CASE WHEN day > :secondDay THEN failures WHEN day = :secondDay THEN
                  failures_from[:secondHour] END AS df,
                0 AS prs
              FROM test_day WHERE repository_id = :repository AND test_id = ANY (:tests) AND day >= :firstDay
              UNION ALL
              SELECT test_id, CASE WHEN hour >= :weekEnd THEN passes END, CASE WHEN hour >= :weekEnd THEN failures END,
                CASE WHEN hour >= :dayEnd THEN passes END, CASE WHEN hour >= :dayEnd THEN failures END, 0
              FROM test_hour
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND hour >= :unfolded AND hour <= :now
              UNION ALL
              SELECT test_id, (outcome = 0)::int, (outcome IN (1, 2))::int, (outcome = 0 AND ran_at >= :dayEnd)::int,
                (outcome IN (1, 2) AND ran_at >= :dayEnd)::int, 0
              FROM run
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND ran_at >= :unfoldedRuns AND ran_at <= :now
                AND ran_at >= (SELECT folded_until FROM result_feed WHERE repository_id = :repository)
              UNION ALL
              SELECT test_id, (outcome = 0)::int, (outcome IN (1, 2))::int, 0, 0, 0 FROM run
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND ran_at >= :week AND ran_at < :weekEnd
              UNION ALL
              SELECT test_id, 0, 0, (outcome = 0)::int, (outcome IN (1, 2))::int, 0 FROM run
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND ran_at >= :day AND ran_at < :dayEnd
              UNION ALL
              SELECT test_id, 0, 0, 0, 0, 1 FROM (
                SELECT DISTINCT test_id, pr_number FROM recent_failure
                WHERE repository_id = :repository AND test_id = ANY (:tests) AND failed_at >= :week
                  AND pr_number IS NOT NULL
              ) impacted
            ) parts GROUP BY test_id
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("firstDay", LocalDate.ofInstant(week, ZoneOffset.UTC))
        .bind("secondDay", LocalDate.ofInstant(day, ZoneOffset.UTC))
        .bind("firstHour", indexAfter(week))
        .bind("secondHour", indexAfter(day))
        .bind("unfolded", unfolded)
        .bind("unfoldedRuns", unfolded.isBefore(weekEnd) ? weekEnd : unfolded)
        .bind("week", week)
        .bind("weekEnd", weekEnd)
        .bind("day", day)
        .bind("dayEnd", hourAfter(day))
        .bind("now", now)
        .map((row, context) -> numbers.put(row.getObject(1, UUID.class), numbers(row)))
        .list();
    return numbers;
  }

  private static Numbers numbers(ResultSet row) throws SQLException {
    return new Numbers(
        rate(row.getLong("wp"), row.getLong("wf")),
        rate(row.getLong("dp"), row.getLong("df")),
        row.getInt("prs"));
  }

  private static double rate(long passes, long failures) {
    return passes + failures == 0 ? 0 : (double) failures / (passes + failures);
  }

  private static Instant hourAfter(Instant time) {
    return time.truncatedTo(ChronoUnit.HOURS).plus(1, ChronoUnit.HOURS);
  }

  /** The place of the hour after a time in its day, from 1; 25 where it is of the next. */
  private static int indexAfter(Instant time) {
    return time.atOffset(ZoneOffset.UTC).getHour() + 2;
  }
}
