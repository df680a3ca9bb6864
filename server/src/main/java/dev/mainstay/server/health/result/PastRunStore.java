package dev.mainstay.server.health.result;

import dev.mainstay.core.health.Outcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** Reads the newest runs of one test by the index of its runs. */
public final class PastRunStore {
  private static final int LONGEST_MESSAGE = 2000;

  private PastRunStore() {}

  /**
   * Runs at or before a time, the newest first, without the first few: runs of one report often
   * have one time.
   */
  public static List<PastRun> latest(
      Handle handle, long repositoryId, UUID test, Instant upTo, int without, int most) {
    return handle
        .createQuery(
            """
            SELECT p.*, u.public_id, u.branch, u.commit_sha, u.pr_number, u.job, u.ci_url, m.message FROM (
              SELECT ran_at, upload_id, attempt, outcome, duration_ms, retention_days FROM run
              WHERE repository_id = :repository AND test_id = :test AND ran_at <= :upTo
              ORDER BY ran_at DESC, upload_id DESC, attempt DESC, outcome DESC, duration_ms DESC
              OFFSET :without LIMIT :most
            ) p
            LEFT JOIN upload u ON u.repository_id = :repository AND u.id = p.upload_id
            LEFT JOIN LATERAL (
              SELECT left(f.message, :length) AS message FROM failure f
              WHERE p.outcome IN (1, 2) AND f.repository_id = :repository AND f.test_id = :test
                AND f.ran_at = p.ran_at AND f.retention_days = p.retention_days
                AND f.upload_id = p.upload_id AND f.attempt = p.attempt AND f.outcome = p.outcome
              LIMIT 1
            ) m ON true
            ORDER BY p.ran_at DESC, p.upload_id DESC, p.attempt DESC, p.outcome DESC, p.duration_ms DESC
            """)
        .bind("repository", repositoryId)
        .bind("test", test)
        .bind("upTo", upTo)
        .bind("without", without)
        .bind("most", most)
        .bind("length", LONGEST_MESSAGE)
        .map(PastRunStore::read)
        .list();
  }

  private static PastRun read(ResultSet row, StatementContext context) throws SQLException {
    return new PastRun(
        row.getTimestamp("ran_at").toInstant(),
        outcome(row.getInt("outcome")),
        row.getInt("attempt"),
        Optional.ofNullable(row.getObject("duration_ms", Integer.class)),
        Optional.ofNullable(row.getString("message")).filter(text -> !text.isEmpty()),
        source(row));
  }

  private static Optional<PastRun.Source> source(ResultSet row) throws SQLException {
    UUID upload = row.getObject("public_id", UUID.class);
    if (upload == null) {
      return Optional.empty();
    }
    return Optional.of(
        new PastRun.Source(
            upload,
            row.getString("branch"),
            row.getString("commit_sha"),
            Optional.ofNullable(row.getObject("pr_number", Integer.class)),
            row.getString("job"),
            Optional.ofNullable(row.getString("ci_url"))));
  }

  private static Outcome outcome(int code) {
    return Arrays.stream(Outcome.values())
        .filter(outcome -> outcome.code() == code)
        .findFirst()
        .orElseThrow();
  }
}
