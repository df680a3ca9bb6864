package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.ReasonCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.Query;

/**
 * What happened in a queue over a stretch of time, counted by steps. Every statement reads a range
 * of an index that begins with the queue and a time.
 */
public final class QueueHealthStore {
  private QueueHealthStore() {}

  /** The stretch, which begins with a step and ends before {@code to}. */
  public record Stretch(Instant from, Instant to, Duration step) {}

  /** Entries that ended in a step, in one way. */
  public record Ended(int step, PullRequestState state, ReasonCode reason, int count) {}

  public static List<Ended> ended(Handle handle, long queueId, Stretch stretch) {
    return about(
            handle,
            queueId,
            stretch,
            """
            SELECT floor(date_part('epoch', ended_at - CAST(:from AS timestamptz)) / :step)::integer AS step,
              state, reason_code, count(*)
            FROM pull_request WHERE queue_id = :queue AND ended_at >= :from AND ended_at < :to
            GROUP BY 1, 2, 3
            """)
        .map(
            (row, context) ->
                new Ended(
                    row.getInt(1),
                    PullRequestState.valueOf(row.getString(2)),
                    ReasonCode.valueOf(row.getString(3)),
                    row.getInt(4)))
        .list();
  }

  /**
   * Submissions, tests that began again though not to bisect, and failed batches that were split.
   */
  public record Moved(int step, int entered, int restarts, int bisections) {}

  public static List<Moved> moved(Handle handle, long queueId, Stretch stretch) {
    return about(
            handle,
            queueId,
            stretch,
            """
            WITH move AS (
              SELECT floor(date_part('epoch', at - CAST(:from AS timestamptz)) / :step)::integer AS step,
                entry, number, at, from_state, to_state, reason_code, reason
              FROM pull_request_transition
              WHERE queue_id = :queue AND at >= :from AND at < :to
                AND (from_state IS NULL OR to_state = 'TESTING' OR reason_code = 'BISECTING')
            ), counted AS (
              SELECT step, count(*) AS entered, 0 AS restarts, 0 AS bisections
              FROM move WHERE from_state IS NULL GROUP BY step
              UNION ALL SELECT step, 0, count(*), 0 FROM move m
              WHERE to_state = 'TESTING' AND reason_code <> 'BISECTING' AND EXISTS (
                SELECT 1 FROM pull_request_transition e WHERE e.queue_id = :queue AND e.entry = m.entry
                  AND e.number < m.number AND e.to_state = 'TESTING')
              GROUP BY step
              UNION ALL SELECT step, 0, 0, count(*) FROM (
                SELECT DISTINCT step, at, reason FROM move WHERE to_state = 'PENDING' AND reason_code = 'BISECTING'
              ) split GROUP BY step
            )
            SELECT step, sum(entered), sum(restarts), sum(bisections) FROM counted GROUP BY step
            """)
        .map(
            (row, context) -> new Moved(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4)))
        .list();
  }

  /** Test branches that were made, and those of batches or of their bisection among them. */
  public record Built(int step, int builds, int ofBatches) {}

  public static List<Built> built(Handle handle, long queueId, Stretch stretch) {
    return about(
            handle,
            queueId,
            stretch,
            """
            SELECT floor(date_part('epoch', created_at - CAST(:from AS timestamptz)) / :step)::integer AS step,
              count(*),
              count(*) FILTER (WHERE kind = 'BISECTION' OR json_array_length(tested -> 'changes') > 1)
            FROM test_run
            WHERE queue_id = :queue AND created_at >= :from AND created_at < :to AND built_at IS NOT NULL
            GROUP BY 1
            """)
        .map((row, context) -> new Built(row.getInt(1), row.getInt(2), row.getInt(3)))
        .list();
  }

  /** Changes that landed by a build, and those by the build of a batch among them. */
  public record Landed(int step, int changes, int byBatches) {}

  public static List<Landed> landed(Handle handle, long queueId, Stretch stretch) {
    return about(
            handle,
            queueId,
            stretch,
            """
            SELECT floor(date_part('epoch', p.ended_at - CAST(:from AS timestamptz)) / :step)::integer AS step,
              count(*),
              count(*) FILTER (WHERE r.kind = 'BISECTION' OR json_array_length(r.tested -> 'changes') > 1)
            FROM pull_request p LEFT JOIN test_run r ON r.queue_id = p.queue_id AND r.run = p.run
            WHERE p.queue_id = :queue AND p.ended_at >= :from AND p.ended_at < :to
              AND p.state = 'MERGED' AND p.reason_code = 'MERGED_BY_QUEUE'
            GROUP BY 1
            """)
        .map((row, context) -> new Landed(row.getInt(1), row.getInt(2), row.getInt(3)))
        .list();
  }

  /**
   * The seconds of those who merged in a step, or in the whole stretch where there is none, each as
   * its 50th and its 95th percentile.
   */
  public record Times(
      Optional<Integer> step,
      List<Double> inQueue,
      List<Double> waiting,
      List<Double> testing,
      List<Double> blocked) {}

  /**
   * An entry is blocked while it is neither tested nor waits for that. It waits the rest of the
   * time, also where it was let in and is no longer ready. The clocks of nodes may differ a little:
   * no part is less than nothing.
   */
  public static List<Times> times(Handle handle, long queueId, Stretch stretch) {
    return about(
            handle,
            queueId,
            stretch,
            """
            WITH parts AS (
              SELECT floor(date_part('epoch', ended_at - CAST(:from AS timestamptz)) / :step)::integer AS step,
                date_part('epoch', ended_at - entered_at) AS elapsed,
                date_part('epoch', testing_time) AS testing,
                date_part('epoch', queue_time - pending_time - testing_time) AS blocked
              FROM pull_request
              WHERE queue_id = :queue AND ended_at >= :from AND ended_at < :to
                AND state = 'MERGED' AND entered_at IS NOT NULL
            ), merged AS (
              SELECT *, greatest(elapsed, testing + blocked) AS in_queue FROM parts
            )
            SELECT step,
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY in_queue),
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY in_queue - testing - blocked),
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY testing),
              percentile_cont(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY blocked)
            FROM merged GROUP BY GROUPING SETS ((step), ()) HAVING count(*) > 0
            """)
        .map(
            (row, context) -> {
              int step = row.getInt(1);
              return new Times(
                  row.wasNull() ? Optional.empty() : Optional.of(step),
                  numbers(row, 2),
                  numbers(row, 3),
                  numbers(row, 4),
                  numbers(row, 5));
            })
        .list();
  }

  private static List<Double> numbers(ResultSet row, int column) throws SQLException {
    return Arrays.asList((Double[]) row.getArray(column).getArray());
  }

  /** The time within which 95 of 100 of the last tests ended; empty where there were too few. */
  public static Optional<Duration> usualTest(Handle handle, long queueId, int last, int fewest) {
    return handle
        .createQuery(
            """
            SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY date_part('epoch', ended_at - created_at))
            FROM (SELECT created_at, ended_at FROM test_run
              WHERE queue_id = :queue AND ended_at IS NOT NULL AND status IN ('SUCCEEDED', 'FAILED')
              ORDER BY ended_at DESC LIMIT :last) r
            HAVING count(*) >= :fewest
            """)
        .bind("queue", queueId)
        .bind("last", last)
        .bind("fewest", fewest)
        .mapTo(Double.class)
        .findFirst()
        .map(seconds -> Duration.ofMillis(Math.round(Math.max(0, seconds) * 1000)));
  }

  /** How many there were at once in a step, at most and on average over its time. */
  public record Level(int step, int most, double mean) {}

  /** The entries that had been let in and had not ended. */
  public static List<Level> depths(Handle handle, long queueId, Stretch stretch) {
    return levels(
        handle,
        queueId,
        stretch,
        """
        SELECT least(entered_at, ended_at) AS began, ended_at AS ended FROM pull_request
        WHERE queue_id = :queue AND entered_at < :to AND (open OR ended_at > :from)
        """);
  }

  /** The runs in progress that use slots of the queue itself, not those of bisection. */
  public static List<Level> slotsUsed(Handle handle, long queueId, Stretch stretch) {
    return levels(
        handle,
        queueId,
        stretch,
        """
        SELECT least(created_at, ended_at) AS began, ended_at AS ended FROM test_run
        WHERE queue_id = :queue AND created_at < :to AND (ended_at > :from OR ended_at IS NULL) AND kind = 'MAIN'
        """);
  }

  private static List<Level> levels(
      Handle handle, long queueId, Stretch stretch, String beginsAndEnds) {
    return about(
            handle,
            queueId,
            stretch,
            "WITH span AS ("
                + beginsAndEnds
                + """
                ), edge AS (
                  SELECT at, sum(change)::integer AS change FROM (
                    SELECT greatest(began, :from) AS at, 1 AS change FROM span
                    UNION ALL SELECT ended, -1 FROM span WHERE ended < :to
                    UNION ALL SELECT at, 0
                    FROM generate_series(CAST(:from AS timestamptz), :to, make_interval(secs => :step)) AS at
                    WHERE at < :to
                  ) changes GROUP BY at
                ), level AS (
                  SELECT at, sum(change) OVER (ORDER BY at) AS height,
                    date_part('epoch', lead(at, 1, CAST(:to AS timestamptz)) OVER (ORDER BY at) - at) AS seconds
                  FROM edge
                )
                SELECT floor(date_part('epoch', at - CAST(:from AS timestamptz)) / :step)::integer AS step,
                  max(height), sum(height * seconds) / sum(seconds)
                FROM level GROUP BY 1
                """)
        .map((row, context) -> new Level(row.getInt(1), row.getInt(2), row.getDouble(3)))
        .list();
  }

  private static Query about(Handle handle, long queueId, Stretch stretch, String sql) {
    return handle
        .createQuery(sql)
        .bind("queue", queueId)
        .bind("from", stretch.from())
        .bind("to", stretch.to())
        .bind("step", stretch.step().toSeconds());
  }
}
