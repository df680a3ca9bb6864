package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code test_command_run}. */
final class TestCommandStore {
  private TestCommandStore() {}

  /** A test command that is to run, or runs. */
  record Job(long queueId, RunId run, long repositoryId, CommitSha commit, int attempts) {}

  static void insert(
      Handle handle, long queueId, RunId run, long repositoryId, CommitSha commit, Instant now) {
    handle.execute(
        """
        INSERT INTO test_command_run (queue_id, run, repository_id, commit_sha, due_at) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """,
        queueId,
        run.number(),
        repositoryId,
        commit.value(),
        now);
  }

  static List<Job> take(Handle handle, UUID node, Instant now, Duration lease, int most) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT queue_id, run FROM test_command_run WHERE due_at <= :now
              ORDER BY due_at, run LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test_command_run j SET due_at = :until, node = :node, attempts = attempts + 1
            FROM due WHERE j.queue_id = due.queue_id AND j.run = due.run
            RETURNING j.queue_id, j.run, j.repository_id, j.commit_sha, j.attempts
            """)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bind("node", node)
        .bind("most", most)
        .map(
            (row, context) ->
                new Job(
                    row.getLong(1),
                    new RunId(row.getLong(2)),
                    row.getLong(3),
                    new CommitSha(row.getString(4)),
                    row.getInt(5)))
        .list();
  }

  /** Renews the lease; false where the run is no longer wanted, or another node has it. */
  static boolean renew(Handle handle, UUID node, Job job, Instant until) {
    return handle.execute(
            "UPDATE test_command_run SET due_at = ? WHERE queue_id = ? AND run = ? AND node = ?",
            until,
            job.queueId(),
            job.run().number(),
            node)
        == 1;
  }

  /** Gives it back, for anybody to take at that time. */
  static void release(Handle handle, UUID node, Job job, Instant at) {
    handle.execute(
        "UPDATE test_command_run SET due_at = ?, node = NULL WHERE queue_id = ? AND run = ? AND node = ?",
        at,
        job.queueId(),
        job.run().number(),
        node);
  }

  static void delete(Handle handle, long queueId, RunId run) {
    handle.execute(
        "DELETE FROM test_command_run WHERE queue_id = ? AND run = ?", queueId, run.number());
  }
}
