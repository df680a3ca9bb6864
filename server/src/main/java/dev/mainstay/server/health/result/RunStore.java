package dev.mainstay.server.health.result;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The tables {@code run} and {@code failure}: one of each for every retention class, which are read
 * together.
 */
public final class RunStore {
  private RunStore() {}

  public static void copy(Handle handle, RunRows runs) {
    runs.runs()
        .copy(
            handle,
            """
        COPY run_%d
          (repository_id, test_id, ran_at, upload_id, duration_ms, retention_days, outcome, attempt, decides)
        FROM STDIN (FORMAT binary)
        """
                .formatted(runs.retentionDays()));
    runs.failures.copy(
        handle,
        """
        COPY failure_%d (repository_id, test_id, ran_at, upload_id, retention_days, outcome, attempt, branch_class,
          pr_number, commit_sha, type, message, stack)
        FROM STDIN (FORMAT binary)
        """
            .formatted(runs.retentionDays()));
  }

  /** So many runs of each test passed since a time and since its last failure, in a row. */
  public static Map<UUID, Integer> passesInARow(
      Handle handle, long repositoryId, Map<UUID, Instant> since) {
    var passes = new HashMap<UUID, Integer>();
    handle
        .createQuery(
            """
            SELECT w.id, (
              SELECT count(*) FROM run r
              WHERE r.repository_id = :repository AND r.test_id = w.id AND r.outcome = 0
                AND r.decides IS NOT FALSE AND r.ran_at >= w.since AND r.ran_at > coalesce((
                  SELECT max(f.ran_at) FROM failure f
                  WHERE f.repository_id = :repository AND f.test_id = w.id AND f.ran_at >= w.since), '-infinity')
            )
            FROM unnest(CAST(:tests AS uuid[]), CAST(:since AS timestamptz[])) AS w (id, since)
            """)
        .bind("repository", repositoryId)
        .bindArray("tests", UUID.class, List.copyOf(since.keySet()))
        .bindArray("since", String.class, since.values().stream().map(Instant::toString).toList())
        .map((row, context) -> passes.put(row.getObject(1, UUID.class), row.getInt(2)))
        .list();
    return passes;
  }
}
