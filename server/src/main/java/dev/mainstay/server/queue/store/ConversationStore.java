package dev.mainstay.server.queue.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The table {@code conversation}. */
public final class ConversationStore {
  private ConversationStore() {}

  /** One that a hook asked for: due before all that are merely due. */
  private static final Instant ASKED_FOR = Instant.EPOCH;

  /**
   * A conversation that is due. {@code comments} is the mark of the last comment that was read, and
   * good for this address alone; the next are read at {@code listenAt}, or where {@code askedFor}.
   * {@code covers} is the same of labels and buttons, of which these {@code signs} were looked for.
   */
  public record Due(
      long repositoryId,
      boolean askedFor,
      Instant listenAt,
      String address,
      Optional<String> comments,
      Optional<String> covers,
      Set<String> signs) {}

  /** Something has changed that people may want to hear of. */
  public static void due(Handle handle, Collection<Long> repositories, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO conversation (repository_id, due_at)
            SELECT r.id, :now FROM unnest(:repositories) AS r (id) ORDER BY r.id
            ON CONFLICT (repository_id) DO UPDATE SET due_at = excluded.due_at
            WHERE conversation.due_at > excluded.due_at
            """)
        .bind("now", now)
        .bindArray("repositories", Long.class, repositories)
        .execute();
  }

  /** Somebody may have said something; hooks come in storms, and only the first is written. */
  public static void askFor(Handle handle, Collection<Long> repositories) {
    handle
        .createUpdate(
            """
            UPDATE conversation SET due_at = :asked
            WHERE repository_id = ANY (:repositories) AND due_at > :asked
            """)
        .bind("asked", ASKED_FOR)
        .bindArray("repositories", Long.class, repositories)
        .execute();
  }

  /**
   * Takes some that are due; they are this node's until the lease or the node ends, and nobody
   * else's, whatever makes them due meanwhile.
   */
  public static List<Due> take(Handle handle, int node, Instant now, Duration lease, int most) {
    return handle
        .createQuery(
            """
            WITH due AS (
              SELECT repository_id, due_at = :asked AS asked FROM conversation
              WHERE due_at <= :now AND (node IS NULL OR leased_until <= :now)
              ORDER BY due_at LIMIT :most FOR UPDATE SKIP LOCKED
            )
            UPDATE conversation c SET due_at = 'infinity', node = :node, leased_until = :until FROM due
            WHERE c.repository_id = due.repository_id RETURNING c.*, due.asked
            """)
        .bind("asked", ASKED_FOR)
        .bind("now", now)
        .bind("until", now.plus(lease))
        .bind("node", node)
        .bind("most", most)
        .map(ConversationStore::read)
        .list();
  }

  private static Due read(ResultSet row, StatementContext context) throws SQLException {
    return new Due(
        row.getLong("repository_id"),
        row.getBoolean("asked"),
        row.getTimestamp("listen_at").toInstant(),
        row.getString("address"),
        Optional.ofNullable(row.getString("comments")),
        Optional.ofNullable(row.getString("covers")),
        Set.of((String[]) row.getArray("signs").getArray()));
  }

  /** Comments were read up to this mark; without one, nobody listens any more. */
  public static void listened(
      Handle handle, long repositoryId, String address, Optional<String> comments, Instant next) {
    handle.execute(
        """
        UPDATE conversation SET address = ?, comments = ?, listen_at = ? WHERE repository_id = ?
        """,
        address,
        comments,
        next,
        repositoryId);
  }

  /** Covers were read up to this mark, and looked at for these signs. */
  public static void saw(
      Handle handle,
      long repositoryId,
      String address,
      Optional<String> covers,
      Set<String> signs) {
    handle
        .createUpdate(
            """
            UPDATE conversation SET address = :address, covers = :covers, signs = :signs
            WHERE repository_id = :repository
            """)
        .bind("address", address)
        .bind("covers", covers)
        .bindArray("signs", String.class, signs)
        .bind("repository", repositoryId)
        .execute();
  }

  /** The next look at labels and buttons, where nobody listens to comments. */
  public static void listenAt(Handle handle, long repositoryId, Instant next) {
    handle.execute(
        "UPDATE conversation SET listen_at = ? WHERE repository_id = ?", next, repositoryId);
  }

  /** Ends what was taken: the next is due then, or earlier where it was asked for meanwhile. */
  public static void end(Handle handle, long repositoryId, Instant leased, Instant next) {
    handle.execute(
        """
        UPDATE conversation SET due_at = least(due_at, ?), node = NULL, leased_until = NULL
        WHERE repository_id = ? AND leased_until = ?
        """,
        next,
        repositoryId,
        leased);
  }

  /** Makes due what nodes had taken that are gone. */
  public static int free(Handle handle, Instant now) {
    return handle.execute(
        """
        UPDATE conversation c SET due_at = least(due_at, ?), node = NULL, leased_until = NULL
        FROM (SELECT repository_id FROM conversation
          WHERE node IS NOT NULL AND node NOT IN (SELECT n.id FROM node_view n) FOR UPDATE SKIP LOCKED) f
        WHERE c.repository_id = f.repository_id
        """,
        now);
  }
}
