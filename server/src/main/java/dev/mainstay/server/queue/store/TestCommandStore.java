package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Change;
import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.core.queue.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/** The table {@code test_command_run}. */
public final class TestCommandStore {
  private TestCommandStore() {}

  /** A test command in the hands of a node, begun so often before without an end. */
  public record Job(
      long queueId,
      RunId run,
      long repositoryId,
      CommitSha commit,
      int attempts,
      int unended,
      int node) {}

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

  /**
   * Takes commands that are due, and none while one is due that was begun {@code alone} times
   * without an end: that one is taken by {@link #takeAlone}, when nothing else runs.
   */
  public static List<Job> take(
      Handle handle, int node, Instant now, Duration lease, int most, int alone) {
    return taken(
        handle,
        node,
        now,
        lease,
        most,
        alone,
        """
        unended <> :alone AND NOT EXISTS (
          SELECT 1 FROM test_command_run WHERE due_at <= :now AND unended = :alone)
        """);
  }

  /** Takes one command that was begun so often without an end. */
  public static Optional<Job> takeAlone(
      Handle handle, int node, Instant now, Duration lease, int alone) {
    return taken(handle, node, now, lease, 1, alone, "unended = :alone").stream().findFirst();
  }

  private static List<Job> taken(
      Handle handle, int node, Instant now, Duration lease, int most, int alone, String which) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT queue_id, run FROM test_command_run WHERE due_at <= :now AND %s
              ORDER BY due_at, run LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE test_command_run j SET due_at = :until, node = :node, attempts = attempts + 1,
              key_hash = NULL
            FROM due WHERE j.queue_id = due.queue_id AND j.run = due.run
            RETURNING j.queue_id, j.run, j.repository_id, j.commit_sha, j.attempts, j.unended
            """
                .formatted(which))
        .bind("alone", alone)
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
                    row.getInt(6),
                    node))
        .list();
  }

  /** The runs of a queue that are tested by a command, and whether a node has taken it. */
  public static Map<RunId, Boolean> taken(Handle handle, long queueId) {
    return handle
        .select("SELECT run, node IS NOT NULL FROM test_command_run WHERE queue_id = ?", queueId)
        .map((row, context) -> Map.entry(new RunId(row.getLong(1)), row.getBoolean(2)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Counts a begin, before there is a process. */
  public static void begin(Handle handle, Job job) {
    addUnended(handle, job, 1);
  }

  /** Takes a begin back whose end was seen; whoever has the command by now. */
  public static void takeBack(Handle handle, Job job) {
    addUnended(handle, job, -1);
  }

  private static void addUnended(Handle handle, Job job, int more) {
    handle.execute(
        "UPDATE test_command_run SET unended = greatest(0, unended + ?) WHERE queue_id = ? AND run = ?",
        more,
        job.queueId(),
        job.run().number());
  }

  /** Gives a command its key, which replaces one of an earlier attempt. */
  public static void giveKey(Handle handle, Job job, RunKey key, Instant until) {
    handle.execute(
        """
        UPDATE test_command_run SET key_hash = ?, key_until = ? WHERE queue_id = ? AND run = ? AND node = ?
        """,
        key.hash(),
        until,
        job.queueId(),
        job.run().number(),
        job.node());
  }

  /** The command that holds a key, while a node runs it. */
  public static Optional<KeyedRun> keyed(Handle handle, RunKey key, Instant now) {
    return handle
        .select(
            """
            SELECT r.organization_id, r.organization, r.host, r.owner, r.name, t.branch, j.commit_sha, t.tested
            FROM test_command_run j
            JOIN test_run t ON t.queue_id = j.queue_id AND t.run = j.run
            JOIN repository_view r ON r.id = j.repository_id
            WHERE j.key_hash = ? AND j.key_until > ? AND j.node IS NOT NULL
            """,
            key.hash(),
            now)
        .map(
            (row, context) ->
                new KeyedRun(
                    row.getLong(1),
                    row.getString(2),
                    new RepoName(row.getString(3), row.getString(4), row.getString(5)),
                    row.getString(6),
                    new CommitSha(row.getString(7)),
                    StoredJson.changes(row.getString(8)).changes().stream()
                        .map(Change::pr)
                        .toList()))
        .findOne();
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

  /** Writes down what a command has printed so far. */
  public static void output(Handle handle, Job job, String output) {
    handle.execute(
        "UPDATE test_command_run SET output = ? WHERE queue_id = ? AND run = ? AND node = ?",
        TestRunStore.storable(output),
        job.queueId(),
        job.run().number(),
        job.node());
  }

  /** The output so far of a command that is not over; empty where there is none. */
  public static Optional<String> output(Handle handle, long queueId, RunId run) {
    return handle
        .select(
            "SELECT output FROM test_command_run WHERE queue_id = ? AND run = ?",
            queueId,
            run.number())
        .mapTo(String.class)
        .findOne();
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
