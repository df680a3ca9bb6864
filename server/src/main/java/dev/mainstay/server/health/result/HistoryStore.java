package dev.mainstay.server.health.result;

import dev.mainstay.core.health.BranchClass;
import dev.mainstay.core.health.HistoryNeed;
import dev.mainstay.core.health.TestHistory;
import dev.mainstay.core.health.TestHistory.BranchHour;
import dev.mainstay.core.health.TestHistory.RecentRun;
import dev.mainstay.core.health.TestHistory.SplitCommit;
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
            SELECT r.test_id, u.branch, u.branch_class, date_trunc('hour', r.ran_at) AS hour,
              count(*) FILTER (WHERE r.outcome = 0) AS passes, count(*) FILTER (WHERE r.outcome <> 0) AS failures,
              max(r.ran_at) FILTER (WHERE r.outcome <> 0) AS failed_at
            FROM run r JOIN upload u ON u.repository_id = r.repository_id AND u.id = r.upload_id
            WHERE r.repository_id = :repository AND r.test_id = ANY (:tests) AND r.ran_at >= :since
              AND r.outcome < 3
            GROUP BY 1, 2, 3, 4
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
                        row.getString("branch"),
                        branchClass(row),
                        row.getTimestamp("hour").toInstant(),
                        row.getInt("passes"),
                        row.getInt("failures"),
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
              SELECT commit_sha, count(*) AS tests FROM commit_failure
              WHERE repository_id = :repository AND passes > 0 AND failures > 0
                AND commit_sha = ANY (ARRAY(SELECT DISTINCT commit_sha FROM split))
              GROUP BY commit_sha
            )
            SELECT s.*, greatest(s.last_failed_at, s.first_passed_at) AS proven_at, t.tests
            FROM split s JOIN together t USING (commit_sha)
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
          SELECT r.test_id, r.ran_at, u.branch, u.branch_class, u.commit_sha, r.outcome, r.attempt,
            u.failed_tests, u.tests, row_number() OVER (PARTITION BY r.test_id ORDER BY r.ran_at DESC) AS place
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
        SELECT f.test_id, f.ran_at, u.branch, u.branch_class, u.commit_sha, f.outcome, f.attempt,
          u.failed_tests, u.tests
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
                        row.getString("branch"),
                        branchClass(row),
                        row.getString("commit_sha"),
                        row.getInt("outcome") != 0,
                        row.getInt("attempt"),
                        row.getInt("failed_tests"),
                        row.getInt("tests"))))
        .list();
  }

  private static <T> T add(Map<UUID, List<T>> to, ResultSet row, T one) throws SQLException {
    to.computeIfAbsent(row.getObject("test_id", UUID.class), t -> new ArrayList<>()).add(one);
    return one;
  }

  private static BranchClass branchClass(ResultSet row) throws SQLException {
    int code = row.getInt("branch_class");
    return Arrays.stream(BranchClass.values())
        .filter(c -> c.code() == code)
        .findFirst()
        .orElseThrow();
  }
}
