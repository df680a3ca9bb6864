package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.QueueState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code merge_queue}; its open entries are read from {@code pull_request}. */
public final class QueueStore {
  private QueueStore() {}

  /** A queue and its version, without its state. */
  public record Row(long id, long repositoryId, String slug, long version) {}

  public static Optional<Row> find(Handle handle, QueueName name) {
    return handle
        .select(
            """
            SELECT q.id, q.repository_id, q.slug, q.version
            FROM repository_view r JOIN merge_queue q ON q.repository_id = r.id
            WHERE r.organization_id = ? AND r.key = ? AND q.branch = ? AND q.deleted_at IS NULL
            """,
            name.organizationId(),
            name.repo().key(),
            name.branch())
        .map(QueueStore::row)
        .findOne();
  }

  public static Optional<Row> find(Handle handle, long id) {
    return handle
        .select(
            "SELECT id, repository_id, slug, version FROM merge_queue WHERE id = ? AND deleted_at IS NULL",
            id)
        .map(QueueStore::row)
        .findOne();
  }

  /** The name of a queue, and the slug of its organization. */
  public record Named(QueueName name, String organization) {}

  public static Optional<Named> named(Handle handle, long id) {
    return handle
        .select(
            """
            SELECT r.organization_id, r.host, r.owner, r.name, q.branch, r.organization
            FROM merge_queue q JOIN repository_view r ON r.id = q.repository_id WHERE q.id = ?
            """,
            id)
        .map(
            (row, context) ->
                new Named(
                    new QueueName(
                        row.getLong(1),
                        new RepoName(row.getString(2), row.getString(3), row.getString(4)),
                        row.getString(5)),
                    row.getString(6)))
        .findOne();
  }

  public static List<Row> ofRepository(Handle handle, long repositoryId) {
    return handle
        .select(
            """
            SELECT id, repository_id, slug, version FROM merge_queue
            WHERE repository_id = ? AND deleted_at IS NULL ORDER BY id
            """,
            repositoryId)
        .map(QueueStore::row)
        .list();
  }

  /** A number for each repository that grows with every change of any queue it ever had. */
  public static Map<Long, Long> versions(Handle handle, Collection<Long> repositoryIds) {
    return handle
        .createQuery(
            """
            SELECT repository_id, sum(version + CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END)::bigint
            FROM merge_queue WHERE repository_id = ANY(:ids) GROUP BY repository_id
            """)
        .bindArray("ids", Long.class, repositoryIds.toArray())
        .map((row, context) -> Map.entry(row.getLong(1), row.getLong(2)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** A number that grows with every change of any queue that the organization ever had. */
  public static long version(Handle handle, long organizationId) {
    return handle
        .select(
            """
            SELECT coalesce(sum(q.version + CASE WHEN q.deleted_at IS NULL THEN 0 ELSE 1 END), 0)::bigint
            FROM repository_view r JOIN merge_queue q ON q.repository_id = r.id
            WHERE r.organization_id = ?
            """,
            organizationId)
        .mapTo(Long.class)
        .one();
  }

  public static List<Row> ofOrganization(Handle handle, long organizationId) {
    return handle
        .select(
            """
            SELECT q.id, q.repository_id, q.slug, q.version
            FROM repository_view r JOIN merge_queue q ON q.repository_id = r.id
            WHERE r.organization_id = ? AND q.deleted_at IS NULL ORDER BY r.key, q.branch
            """,
            organizationId)
        .map(QueueStore::row)
        .list();
  }

  /** A queue, and the key of its repository and its branch, which lists are in the order of. */
  public record Listed(Row row, RepoName repo, String branch) {}

  /** The queues of an organization, or of one repository of it, after this key and branch. */
  public static List<Listed> page(
      Handle handle,
      long organizationId,
      Optional<RepoName> repo,
      String afterKey,
      String afterBranch,
      int most) {
    return handle
        .createQuery(
            """
            SELECT q.id, q.repository_id, q.slug, q.version, q.branch, r.host, r.owner, r.name
            FROM repository_view r JOIN merge_queue q ON q.repository_id = r.id
            WHERE r.organization_id = :organization AND (CAST(:repo AS text) IS NULL OR r.key = :repo)
              AND q.deleted_at IS NULL AND (r.key, q.branch) > (:key, :branch)
            ORDER BY r.key, q.branch LIMIT :most
            """)
        .bind("organization", organizationId)
        .bind("repo", repo.map(RepoName::key))
        .bind("key", afterKey)
        .bind("branch", afterBranch)
        .bind("most", most)
        .map(
            (r, context) ->
                new Listed(
                    row(r, context),
                    new RepoName(r.getString("host"), r.getString("owner"), r.getString("name")),
                    r.getString("branch")))
        .list();
  }

  /** Locks a queue: keeps everybody else from changing it, and waits for whoever does. */
  public static Optional<Row> lock(Handle handle, long id) {
    return handle
        .select(
            """
            SELECT id, repository_id, slug, version FROM merge_queue
            WHERE id = ? AND deleted_at IS NULL FOR UPDATE
            """,
            id)
        .map(QueueStore::row)
        .findOne();
  }

  /** Locks a queue against changes only; readers may share the lock. */
  public static Optional<Row> lockShared(Handle handle, long id) {
    return handle
        .select(
            """
            SELECT id, repository_id, slug, version FROM merge_queue
            WHERE id = ? AND deleted_at IS NULL FOR SHARE
            """,
            id)
        .map(QueueStore::row)
        .findOne();
  }

  /** All of a queue; its row must be locked. */
  public static OpenQueue load(Handle handle, Row row) {
    var parts =
        handle
            .select(
                "SELECT state, target, line, side, learned FROM merge_queue WHERE id = ?", row.id())
            .map(
                (r, context) ->
                    new StoredJson.Parts(
                        r.getString(1),
                        r.getString(2),
                        r.getString(3),
                        r.getString(4),
                        Optional.ofNullable(r.getString(5))))
            .one();
    var entries = new ArrayList<Entry>();
    var beside = new HashMap<PullRequestRef, OpenQueue.Beside>();
    var sets = TargetSetStore.reader(handle, row.id());
    for (PullRequestStore.Open open : PullRequestStore.open(handle, row.id())) {
      Entry entry = StoredJson.entry(open.content(), sets);
      entries.add(entry);
      beside.put(entry.pr(), open.beside());
    }
    QueueState state = StoredJson.state(parts, entries, sets);
    return new OpenQueue(row.id(), row.repositoryId(), row.slug(), row.version(), state, beside);
  }

  /** Empty where the repository has a queue for this branch already. */
  public static Optional<Row> insert(
      Handle handle, long repositoryId, String slug, QueueState state, Instant now) {
    return handle
        .createQuery(
            """
            INSERT INTO merge_queue (repository_id, branch, slug, version, state, target, line, side, created_at)
            VALUES (:repository, :branch, :slug, 0, CAST(:state AS json), CAST(:target AS json),
              CAST(:line AS json), CAST(:side AS json), :now)
            ON CONFLICT (repository_id, branch) DO NOTHING
            RETURNING id, repository_id, slug, version
            """)
        .bind("repository", repositoryId)
        .bind("branch", state.target().branch())
        .bind("slug", slug)
        .bind("state", StoredJson.rest(state))
        .bind("target", StoredJson.target(state.target()))
        .bind("line", StoredJson.groups(state.line()))
        .bind("side", StoredJson.groups(state.side()))
        .bind("now", now)
        .map(QueueStore::row)
        .findOne();
  }

  /** A queue that was written; {@code heard} where somebody wants to hear of its organization. */
  public record Saved(boolean heard) {}

  /**
   * Writes a queue, its target, line, side and what it learned only where they differ, and locks
   * it; nothing, and empty, where its version is not the one before.
   */
  public static Optional<Saved> save(Handle handle, OpenQueue before, OpenQueue after) {
    QueueState was = before.state();
    QueueState is = after.state();
    boolean target = !was.target().equals(is.target());
    boolean line = !was.line().equals(is.line());
    boolean side = !was.side().equals(is.side());
    boolean learned = !was.learned().equals(is.learned());
    var update =
        handle.createQuery(
            "UPDATE merge_queue q SET version = :version, wake_at = :wakeAt, state = CAST(:state AS json)"
                + (target ? ", target = CAST(:target AS json)" : "")
                + (line ? ", line = CAST(:line AS json)" : "")
                + (side ? ", side = CAST(:side AS json)" : "")
                + (learned ? ", learned = CAST(:learned AS json)" : "")
                + " WHERE id = :id AND version = :expected RETURNING EXISTS (SELECT FROM repository_view r"
                + " JOIN webhook_view w ON w.organization_id = r.organization_id WHERE r.id = q.repository_id)");
    update
        .bind("id", after.id())
        .bind("expected", before.version())
        .bind("version", after.version())
        .bind("wakeAt", is.wakeAt())
        .bind("state", StoredJson.rest(is));
    if (target) {
      update.bind("target", StoredJson.target(is.target()));
    }
    if (line) {
      update.bind("line", StoredJson.groups(is.line()));
    }
    if (side) {
      update.bind("side", StoredJson.groups(is.side()));
    }
    if (learned) {
      update.bind("learned", StoredJson.learned(is.learned()));
    }
    return update.map((row, context) -> new Saved(row.getBoolean(1))).findOne();
  }

  public static List<Long> due(Handle handle, Instant now, int most) {
    return handle
        .select("SELECT id FROM merge_queue WHERE wake_at <= ? ORDER BY wake_at LIMIT ?", now, most)
        .mapTo(Long.class)
        .list();
  }

  /**
   * The queues after this one with open entries of which none has moved since then, those that are
   * known to stall left out.
   */
  public static List<Row> idle(Handle handle, long after, Instant since, int most) {
    return handle
        .select(
            """
            SELECT id, repository_id, slug, version FROM merge_queue q
            WHERE id > ? AND deleted_at IS NULL AND state ->> 'stall' IS NULL
              AND COALESCE(CAST(state ->> 'movedAt' AS timestamptz), '-infinity') <= ?
              AND EXISTS (SELECT FROM pull_request p WHERE p.queue_id = q.id AND p.open)
            ORDER BY id LIMIT ?
            """,
            after,
            since,
            most)
        .map(QueueStore::row)
        .list();
  }

  /** Lets a queue rest that cannot be woken. */
  public static void wakeLater(Handle handle, long id, Instant at) {
    handle.execute("UPDATE merge_queue SET wake_at = ? WHERE id = ?", at, id);
  }

  /** Deletes a queue; its row stays for the history, and for whoever makes the queue anew. */
  public static void delete(Handle handle, long id, Instant now) {
    handle.execute(
        "UPDATE merge_queue SET deleted_at = ?, wake_at = NULL, version = version + 1 WHERE id = ?",
        now,
        id);
  }

  /** Locks the deleted queue that a repository has had for this branch. */
  public static Optional<Row> lockDeleted(Handle handle, long repositoryId, String branch) {
    return handle
        .select(
            """
            SELECT id, repository_id, slug, version FROM merge_queue
            WHERE repository_id = ? AND branch = ? AND deleted_at IS NOT NULL FOR UPDATE
            """,
            repositoryId,
            branch)
        .map(QueueStore::row)
        .findOne();
  }

  /** A deleted queue begins anew in this state; its row must be locked. */
  public static Row revive(Handle handle, Row row, QueueState state) {
    return handle
        .createQuery(
            """
            UPDATE merge_queue SET deleted_at = NULL, version = version + 1, state = CAST(:state AS json),
              target = CAST(:target AS json), line = CAST(:line AS json), side = CAST(:side AS json), learned = NULL
            WHERE id = :id RETURNING id, repository_id, slug, version
            """)
        .bind("id", row.id())
        .bind("state", StoredJson.rest(state))
        .bind("target", StoredJson.target(state.target()))
        .bind("line", StoredJson.groups(state.line()))
        .bind("side", StoredJson.groups(state.side()))
        .map(QueueStore::row)
        .one();
  }

  /** Forgets deleted queues when the retention of results is over and their entries have gone. */
  public static void forget(Handle handle, Instant now) {
    handle.execute(
        """
        DELETE FROM merge_queue q USING repository_view r
        WHERE r.id = q.repository_id AND q.deleted_at < CAST(? AS timestamptz) - r.retention_days * interval '1 day'
          AND NOT EXISTS (SELECT FROM pull_request p WHERE p.queue_id = q.id)
        """,
        now);
  }

  private static Row row(ResultSet row, StatementContext context) throws SQLException {
    return new Row(
        row.getLong("id"),
        row.getLong("repository_id"),
        row.getString("slug"),
        row.getLong("version"));
  }
}
