package dev.mainstay.server.health.result;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.Origin;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** Reads the past of some tests, as much of it as monitors look at. */
public final class HistoryStore {
  private final Handle handle;
  private final long repositoryId;
  private final Collection<UUID> tests;
  private final Map<UUID, List<BranchHour>> hours = new HashMap<>();
  private final Map<UUID, List<SplitCommit>> splits = new HashMap<>();
  private final Map<UUID, List<RecentRun>> runs = new HashMap<>();

  private HistoryStore(Handle handle, long repositoryId, Collection<UUID> tests) {
    this.handle = handle;
    this.repositoryId = repositoryId;
    this.tests = tests;
  }

  public static Function<UUID, TestHistory> read(
      Handle handle, long repositoryId, Collection<UUID> tests, HistoryNeed need) {
    var store = new HistoryStore(handle, repositoryId, tests);
    if (tests.size() > 1) {
      // Without statistics of a young partition the planner would read all runs once per upload.
      handle.execute("SET LOCAL enable_nestloop = off");
    }
    need.hoursSince().ifPresent(store::readHours);
    need.splitsSince().ifPresent(store::readSplits);
    need.runsSince().ifPresent(store::readStableRuns);
    need.runsSince().ifPresent(store::readOtherFailures);
    if (tests.size() > 1) {
      handle.execute("SET LOCAL enable_nestloop = on");
    }
    return test ->
        new TestHistory(
            store.hours.getOrDefault(test, List.of()),
            store.splits.getOrDefault(test, List.of()),
            store.runs.getOrDefault(test, List.of()));
  }

  /** The tests, healthy or not, whose past holds anything that monitors of a need look at. */
  public static List<UUID> candidates(
      Handle handle, long repositoryId, HistoryNeed need, int most) {
    return handle
        .createQuery(
            """
            SELECT test_id FROM commit_failure
            WHERE repository_id = :repository AND passes > 0 AND last_ran_at >= CAST(:splits AS timestamptz)
            UNION
            SELECT test_id FROM recent_failure
            WHERE repository_id = :repository AND failed_at >= CAST(:hours AS timestamptz)
            LIMIT :most
            """)
        .bind("repository", repositoryId)
        .bind("splits", need.splitsSince())
        .bind("hours", need.hoursSince())
        .bind("most", most)
        .mapTo(UUID.class)
        .list();
  }

  private void readHours(Instant since) {
    handle
        .createQuery(
            """
            SELECT r.test_id, u.branch, u.branch_class, coalesce(u.pull_requests, ARRAY[u.pr_number]) AS numbers,
              date_trunc('hour', r.ran_at) AS hour,
              count(*) FILTER (WHERE r.outcome = 0) AS passes, count(*) FILTER (WHERE r.outcome <> 0) AS failures,
              count(s.test_id) AS retried, max(r.ran_at) FILTER (WHERE r.outcome <> 0) AS failed_at
            FROM run r JOIN upload u ON u.repository_id = r.repository_id AND u.id = r.upload_id
            LEFT JOIN (
              SELECT test_id, commit_sha, job FROM commit_failure
              WHERE repository_id = :repository AND test_id = ANY (:tests) AND passes > 0 AND last_ran_at >= :since
            ) s ON s.test_id = r.test_id AND s.commit_sha = u.commit_sha AND s.job = u.job AND r.outcome <> 0
            WHERE r.repository_id = :repository AND r.test_id = ANY (:tests) AND r.ran_at >= :since
              AND r.outcome < 3 AND r.decides IS NOT FALSE
            GROUP BY 1, 2, 3, 4, 5
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("since", since)
        .map(
            (row, context) ->
                add(
                    hours,
                    row,
                    new BranchHour(
                        origin(row),
                        row.getTimestamp("hour").toInstant(),
                        row.getInt("passes"),
                        row.getInt("failures"),
                        row.getInt("retried"),
                        Optional.ofNullable(row.getTimestamp("failed_at"))
                            .map(Timestamp::toInstant))))
        .list();
  }

  private void readSplits(Instant since) {
    handle
        .createQuery(
            """
            WITH split AS (
              SELECT c.* FROM unnest(CAST(:tests AS uuid[])) AS wanted (id)
              CROSS JOIN LATERAL (
                SELECT * FROM commit_failure
                WHERE repository_id = :repository AND test_id = wanted.id AND passes > 0 AND failures > 0
                  AND last_ran_at >= :since
                ORDER BY last_ran_at DESC LIMIT :most
              ) c
            ), together AS (
              SELECT commit_sha, job, count(*) AS tests FROM commit_failure
              WHERE repository_id = :repository AND passes > 0 AND failures > 0
                AND commit_sha = ANY (ARRAY(SELECT DISTINCT commit_sha FROM split))
              GROUP BY commit_sha, job
            )
            SELECT s.*, greatest(s.last_failed_at, s.first_passed_at) AS proven_at, t.tests
            FROM split s JOIN together t USING (commit_sha, job)
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("since", since)
        .bind("most", TestHistory.MOST_SPLITS)
        .map(
            (row, context) ->
                add(
                    splits,
                    row,
                    new SplitCommit(
                        row.getString("commit_sha"),
                        row.getString("job"),
                        row.getString("branch"),
                        row.getInt("failures"),
                        row.getInt("passes"),
                        row.getTimestamp("proven_at").toInstant(),
                        row.getInt("tests"))))
        .list();
  }

  private void readStableRuns(Instant since) {
    readRuns(
        """
        SELECT * FROM (
          SELECT r.test_id, r.ran_at, r.upload_id, u.branch, u.branch_class, NULL::integer[] AS numbers, u.commit_sha,
            u.job, r.outcome, r.attempt, r.decides, u.failed_tests, u.tests, row_number() OVER (PARTITION BY r.test_id ORDER BY r.ran_at DESC) AS place
          FROM run r JOIN upload u ON u.repository_id = r.repository_id AND u.id = r.upload_id
          WHERE r.repository_id = :repository AND r.test_id = ANY (:tests) AND r.ran_at >= :since
            AND r.outcome < 3 AND u.branch_class = 0
        ) latest WHERE place <= :most
        """,
        since,
        TestHistory.MOST_STABLE_RUNS);
  }

  private void readOtherFailures(Instant since) {
    readRuns(
        """
        SELECT f.test_id, f.ran_at, f.upload_id, u.branch, u.branch_class,
          coalesce(u.pull_requests, ARRAY[u.pr_number]) AS numbers, u.commit_sha, u.job, f.outcome, f.attempt,
          NULL::boolean AS decides, u.failed_tests, u.tests
        FROM unnest(CAST(:tests AS uuid[])) AS wanted (id)
        CROSS JOIN LATERAL (
          SELECT * FROM failure
          WHERE repository_id = :repository AND test_id = wanted.id AND ran_at >= :since
            AND branch_class <> 0
          ORDER BY ran_at DESC LIMIT :most
        ) f
        JOIN upload u ON u.repository_id = :repository AND u.id = f.upload_id
        """,
        since,
        TestHistory.MOST_OTHER_FAILURES);
  }

  private void readRuns(String sql, Instant since, int most) {
    handle
        .createQuery(sql)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, tests)
        .bind("since", since)
        .bind("most", most)
        .map(
            (row, context) ->
                add(
                    runs,
                    row,
                    new RecentRun(
                        row.getTimestamp("ran_at").toInstant(),
                        origin(row),
                        row.getString("commit_sha"),
                        row.getString("job"),
                        row.getLong("upload_id"),
                        row.getInt("outcome") != 0,
                        row.getInt("attempt"),
                        row.getBoolean("decides"),
                        row.getInt("failed_tests"),
                        row.getInt("tests"))))
        .list();
  }

  private static <T> T add(Map<UUID, List<T>> to, ResultSet row, T one) throws SQLException {
    to.computeIfAbsent(row.getObject("test_id", UUID.class), t -> new ArrayList<>()).add(one);
    return one;
  }

  private static Origin origin(ResultSet row) throws SQLException {
    Array numbers = row.getArray("numbers");
    List<Integer> known =
        numbers == null
            ? List.of()
            : Arrays.stream((Integer[]) numbers.getArray()).filter(Objects::nonNull).toList();
    return Origin.of(row.getString("branch"), branchClass(row), known);
  }

  private static BranchClass branchClass(ResultSet row) throws SQLException {
    int code = row.getInt("branch_class");
    return Arrays.stream(BranchClass.values())
        .filter(c -> c.code() == code)
        .findFirst()
        .orElseThrow();
  }
}
