package dev.mainstay.server.queue.store;

import dev.mainstay.core.queue.QueueAction;
import dev.mainstay.server.platform.Columns;
import dev.mainstay.server.platform.Convoy;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/** The table {@code queue_action}. */
public final class ActionStore {
  private ActionStore() {}

  /**
   * An action in the hands of a node: it is its own until the lease or the node ends. The queue is
   * as it was when the action was taken.
   */
  public record Taken(
      QueueStore.Row queue, QueueAction action, int attempts, Instant askedAt, int node) {
    public long queueId() {
      return queue.id();
    }

    public long repositoryId() {
      return queue.repositoryId();
    }
  }

  /** Inserts actions; one that is asked for again is as it was asked for last. */
  public static void insert(
      Convoy convoy,
      long queueId,
      long repositoryId,
      Collection<QueueAction> actions,
      Instant now) {
    if (actions.isEmpty()) {
      return;
    }
    convoy.add(
        """
        INSERT INTO queue_action (queue_id, id, repository_id, subject, action, asked_at, due_at)
        SELECT :queue, a.id, :repository, a.subject, CAST(a.action AS json), :now, :now
        FROM unnest(:id, :subject, :action) AS a (id, subject, action)
        ON CONFLICT (queue_id, id) DO UPDATE SET action = excluded.action
        """,
        new Convoy.Values()
            .with("queue", queueId)
            .with("repository", repositoryId)
            .with("now", now)
            .with("id", Columns.texts(actions, QueueAction::id))
            .with("subject", Columns.texts(actions, ActionStore::subject))
            .with("action", Columns.texts(actions, StoredJson::action)));
  }

  /**
   * The subject of an action: a run, a landing or a snapshot. Actions of one subject are done one
   * after the other.
   */
  private static String subject(QueueAction action) {
    return switch (action) {
      case QueueAction.StartRun a -> a.run().toString();
      case QueueAction.CancelRun a -> a.run().toString();
      case QueueAction.Land a -> a.id();
      case QueueAction.TakeSnapshot a -> a.id();
      case QueueAction.WakeAt a -> a.id();
    };
  }

  /** Takes the start of a run back that nobody has begun yet; false where somebody has. */
  public static boolean takeBack(Handle handle, long queueId, String id) {
    return handle.execute(
            "DELETE FROM queue_action WHERE queue_id = ? AND id = ? AND attempts = 0", queueId, id)
        == 1;
  }

  /**
   * Takes some actions that are due, of each repository a few, the longest due first. Rows that
   * another node has its hand on are left to it; of one subject, the earlier is done first. It does
   * not wait for the disk: when the database dies, it may be as if nobody had taken them.
   */
  public static List<Taken> take(
      Handle handle,
      int node,
      Instant now,
      Duration lease,
      Set<Long> busyRepositories,
      int ofEach,
      int most) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT d.queue_id, d.id FROM (
                SELECT repository_id, min(due_at) AS first FROM queue_action
                WHERE due_at <= :now AND NOT (repository_id = ANY (:busy))
                GROUP BY repository_id ORDER BY first LIMIT :most
              ) r CROSS JOIN LATERAL (
                SELECT a.queue_id, a.id FROM queue_action a
                WHERE a.repository_id = r.repository_id AND a.due_at <= :now
                  AND NOT EXISTS (SELECT 1 FROM queue_action e
                    WHERE e.queue_id = a.queue_id AND e.subject = a.subject AND e.number < a.number)
                ORDER BY a.due_at, a.number LIMIT :ofEach
                FOR UPDATE SKIP LOCKED
              ) d LIMIT :most
            )
            UPDATE queue_action a SET due_at = :until, node = :node, attempts = attempts + 1
            FROM due JOIN merge_queue q ON q.id = due.queue_id
            WHERE a.queue_id = due.queue_id AND a.id = due.id
            RETURNING q.id, q.repository_id, q.slug, q.version, a.action, a.attempts, a.asked_at,
              set_config('synchronous_commit', 'off', true)
            """)
        .bind("node", node)
        .bind("ofEach", ofEach)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bindArray("busy", Long.class, busyRepositories)
        .bind("most", most)
        .map(
            (row, context) ->
                new Taken(
                    new QueueStore.Row(
                        row.getLong("id"),
                        row.getLong("repository_id"),
                        row.getString("slug"),
                        row.getLong("version")),
                    StoredJson.action(row.getString("action")),
                    row.getInt("attempts"),
                    row.getTimestamp("asked_at").toInstant(),
                    node))
        .list();
  }

  /**
   * Renews the leases of actions that their nodes still have. An action that is being ended is not
   * waited for.
   */
  public static int renew(Handle handle, Collection<Taken> taken, Instant until) {
    return handle
        .createUpdate(
            """
            UPDATE queue_action a SET due_at = :until
            FROM (SELECT queue_id, id FROM queue_action WHERE (queue_id, id, node) IN (
                SELECT * FROM unnest(CAST(:queues AS bigint[]), CAST(:ids AS text[]), CAST(:nodes AS integer[])))
              FOR UPDATE SKIP LOCKED) r
            WHERE a.queue_id = r.queue_id AND a.id = r.id
            """)
        .bind("until", until)
        .bindArray("queues", Long.class, taken.stream().map(Taken::queueId).toList())
        .bindArray("ids", String.class, taken.stream().map(t -> t.action().id()).toList())
        .bindArray("nodes", Integer.class, taken.stream().map(Taken::node).toList())
        .execute();
  }

  public static void done(Handle handle, long queueId, String id) {
    handle.execute("DELETE FROM queue_action WHERE queue_id = ? AND id = ?", queueId, id);
  }

  /** Gives an action back, for any node to take at that time. */
  public static void again(Handle handle, Taken taken, Instant at, String fault) {
    handle.execute(
        """
        UPDATE queue_action SET due_at = ?, fault = ?, node = NULL
        WHERE queue_id = ? AND id = ? AND node = ?
        """,
        at,
        fault,
        taken.queueId(),
        taken.action().id(),
        taken.node());
  }

  /**
   * Gives an action back that the forge would not hear of: this attempt does not count, save that a
   * landing was begun.
   */
  public static void putOff(Handle handle, Taken taken, Instant at, String fault) {
    handle.execute(
        """
        UPDATE queue_action SET due_at = ?, fault = ?, node = NULL, attempts = greatest(attempts - 1, ?)
        WHERE queue_id = ? AND id = ? AND node = ?
        """,
        at,
        fault,
        taken.action() instanceof QueueAction.Land ? 1 : 0,
        taken.queueId(),
        taken.action().id(),
        taken.node());
  }

  /** Makes actions due whose nodes are gone. */
  public static int free(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE queue_action a SET due_at = least(due_at, ?), node = NULL
        FROM (SELECT queue_id, id FROM queue_action
          WHERE node IS NOT NULL AND node NOT IN (SELECT n.id FROM node_view n) FOR UPDATE SKIP LOCKED) f
        WHERE a.queue_id = f.queue_id AND a.id = f.id
        """,
        now);
  }

  /** Makes the actions of a repository due that wait for its forge and are in nobody's hands. */
  public static void hurry(Handle handle, long repositoryId, Instant now) {
    handle.execute(
        "UPDATE queue_action SET due_at = ? WHERE repository_id = ? AND due_at > ? AND fault IS NOT NULL AND node IS NULL",
        now,
        repositoryId,
        now);
  }

  /** Why the forge did not do what a queue asks for, of what waits longest. */
  public static Optional<String> fault(Handle handle, long queueId) {
    return handle
        .select(
            "SELECT fault FROM queue_action WHERE queue_id = ? AND fault IS NOT NULL ORDER BY number LIMIT 1",
            queueId)
        .mapTo(String.class)
        .findFirst();
  }

  /** Deletes what a queue has asked for that is deleted itself. */
  public static void deleteAll(Handle handle, long queueId) {
    handle.execute("DELETE FROM queue_action WHERE queue_id = ?", queueId);
  }

  /** True where a landing of this repository was begun and has not been answered. */
  public static boolean isLanding(Handle handle, long repositoryId) {
    return handle
        .select(
            """
            SELECT EXISTS (SELECT 1 FROM queue_action
              WHERE repository_id = ? AND id LIKE 'landing-%' AND attempts > 0)
            """,
            repositoryId)
        .mapTo(Boolean.class)
        .one();
  }
}
