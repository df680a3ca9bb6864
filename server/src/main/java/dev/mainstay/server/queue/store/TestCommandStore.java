package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The table {@code test_command_run}. */
public final class TestCommandStore {
  private TestCommandStore() {}

  /** A test command in the hands of a node. */
  public record Job(
      long queueId, RunId run, long repositoryId, CommitSha commit, int attempts, int node) {}

  /**
   * Asks for a test command, where the start of the run was not answered before, and the run is not
   * over.
   */
  public static void insert(
      Handle handle,
      long queueId,
      QueueAction.StartRun start,
      long repositoryId,
      CommitSha commit,
      Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO test_command_run (queue_id, run, repository_id, commit_sha, due_at)
            SELECT :queue, run, :repository, :commit, :now FROM test_run
            WHERE queue_id = :queue AND run = :run AND status = 'IN_PROGRESS'
              AND EXISTS (SELECT 1 FROM queue_action WHERE queue_id = :queue AND id = :start)
            ON CONFLICT DO NOTHING
            """)
        .bind("queue", queueId)
        .bind("run", start.run().number())
        .bind("start", start.id())
        .bind("repository", repositoryId)
        .bind("commit", commit.value())
        .bind("now", now)
        .execute();
  }

  public static List<Job> take(Handle handle, int node, Instant now, Duration lease, int most) {
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
                    row.getInt(5),
                    node))
        .list();
  }

  /** Renews the lease; false where the run is no longer wanted, or another node has it. */
  public static boolean renew(Handle handle, Job job, Instant until) {
    return handle.execute(
            "UPDATE test_command_run SET due_at = ? WHERE queue_id = ? AND run = ? AND node = ?",
            until,
            job.queueId(),
            job.run().number(),
            job.node())
        == 1;
  }

  /** Gives a command back, for any node to take at that time. */
  public static void release(Handle handle, Job job, Instant at) {
    handle.execute(
        "UPDATE test_command_run SET due_at = ?, node = NULL WHERE queue_id = ? AND run = ? AND node = ?",
        at,
        job.queueId(),
        job.run().number(),
        job.node());
  }

  /** Gives a command back whose files could not be had: this attempt does not count. */
  public static void putOff(Handle handle, Job job, Instant at) {
    handle.execute(
        """
        UPDATE test_command_run SET due_at = ?, node = NULL, attempts = attempts - 1
        WHERE queue_id = ? AND run = ? AND node = ?
        """,
        at,
        job.queueId(),
        job.run().number(),
        job.node());
  }

  /** Makes the commands of a repository due that wait for its forge and are in nobody's hands. */
  public static void hurry(Handle handle, long repositoryId, Instant now) {
    handle.execute(
        "UPDATE test_command_run SET due_at = ? WHERE repository_id = ? AND due_at > ? AND node IS NULL",
        now,
        repositoryId,
        now);
  }

  /** Makes commands due whose nodes are gone. */
  public static int free(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE test_command_run j SET due_at = least(due_at, ?), node = NULL
        FROM (SELECT queue_id, run FROM test_command_run
          WHERE node IS NOT NULL AND node NOT IN (SELECT n.id FROM node_view n) FOR UPDATE SKIP LOCKED) f
        WHERE j.queue_id = f.queue_id AND j.run = f.run
        """,
        now);
  }

  public static void deleteAll(Handle handle, long queueId) {
    handle.execute("DELETE FROM test_command_run WHERE queue_id = ?", queueId);
  }

  public static void delete(Handle handle, long queueId, RunId run) {
    handle.execute(
        "DELETE FROM test_command_run WHERE queue_id = ? AND run = ?", queueId, run.number());
  }
}
