package dev.mainstay.server.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code session} and {@code session_version}. */
final class SessionStore {
  private static final int MOST_KEYS = 1000;

  private SessionStore() {}

  /** A key or a person, whose sessions belong together. */
  record Owner(long organizationId, UUID id, boolean isPerson) {}

  /** A session that has not been ended. */
  record Open(UUID id, Owner owner, Instant lastSeenAt, Instant expiresAt) {}

  /** A session that has ended or changed since. */
  record Change(Token.Hash hash, long version) {}

  /** Locks the version until the transaction ends: versions become visible in their order. */
  static long nextVersion(Handle handle) {
    return handle
        .createQuery("UPDATE session_version SET version = version + 1 RETURNING version")
        .mapTo(Long.class)
        .one();
  }

  static void insert(Handle handle, Token.Hash hash, Open session, long version) {
    handle
        .createUpdate(
            """
            INSERT INTO session (secret_hash, id, organization_id, owner_id, of_person, created_at, last_seen_at, expires_at, version)
            VALUES (:hash, :id, :organizationId, :owner, :ofPerson, :now, :now, :expiresAt, :version)
            """)
        .bind("hash", hash.bytes())
        .bind("id", session.id())
        .bind("organizationId", session.owner().organizationId())
        .bind("owner", session.owner().id())
        .bind("ofPerson", session.owner().isPerson())
        .bind("now", session.lastSeenAt())
        .bind("expiresAt", session.expiresAt())
        .bind("version", version)
        .execute();
  }

  static Optional<Open> find(Handle handle, Token.Hash hash) {
    return handle
        .select("SELECT * FROM session WHERE secret_hash = ? AND ended_at IS NULL", hash.bytes())
        .map(SessionStore::read)
        .findOne();
  }

  static void end(Handle handle, Token.Hash hash, Instant now) {
    handle.execute(
        "UPDATE session SET ended_at = ?, version = ? WHERE secret_hash = ? AND ended_at IS NULL",
        now,
        nextVersion(handle),
        hash.bytes());
  }

  /** Ends all sessions of an owner but the newest; says how many those were. */
  static int endAllBut(Handle handle, Owner owner, int newest, Instant now, long version) {
    return handle
        .createUpdate(
            """
            UPDATE session SET ended_at = :now, version = :version WHERE secret_hash IN (
              SELECT secret_hash FROM session
              WHERE organization_id = :organizationId AND owner_id = :owner AND ended_at IS NULL
              ORDER BY created_at DESC, version DESC OFFSET :newest)
            """)
        .bind("organizationId", owner.organizationId())
        .bind("now", now)
        .bind("version", version)
        .bind("owner", owner.id())
        .bind("newest", newest)
        .execute();
  }

  /** Makes all nodes look at the sessions of an owner again. */
  static void touchAll(Handle handle, Owner owner, long version) {
    handle.execute(
        """
        UPDATE session SET version = ?
        WHERE organization_id = ? AND owner_id = ? AND ended_at IS NULL
        """,
        version,
        owner.organizationId(),
        owner.id());
  }

  static long version(Handle handle) {
    return handle.select("SELECT version FROM session_version").mapTo(Long.class).one();
  }

  static List<Change> changedSince(Handle handle, long version) {
    return handle
        .select(
            "SELECT secret_hash, version FROM session WHERE version > ? ORDER BY version", version)
        .map(
            (row, context) ->
                new Change(new Token.Hash(row.getBytes("secret_hash")), row.getLong("version")))
        .list();
  }

  static void recordUse(Handle handle, Map<UUID, Instant> uses) {
    var batch =
        handle.prepareBatch(
            "UPDATE session SET last_seen_at = greatest(last_seen_at, ?) WHERE id = ?");
    uses.forEach((id, at) -> batch.bind(0, at).bind(1, id).add());
    batch.execute();
  }

  /** How many sessions those of these owners have open who have any. */
  static Map<UUID, Integer> countOpen(
      Handle handle, long organizationId, List<UUID> owners, Instant now, Instant idleSince) {
    return handle
        .createQuery(
            """
            SELECT owner_id, count(*) FROM session
            WHERE organization_id = :organizationId AND owner_id = ANY (:owners)
              AND ended_at IS NULL AND expires_at > :now AND last_seen_at > :idleSince
            GROUP BY owner_id
            """)
        .bind("organizationId", organizationId)
        .bindArray("owners", UUID.class, owners)
        .bind("now", now)
        .bind("idleSince", idleSince)
        .map((row, context) -> Map.entry(row.getObject(1, UUID.class), row.getInt(2)))
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** A key by which somebody is signed in. */
  record KeyInUse(UUID id, String name, Instant lastSeenAt, int openSessions) {}

  /** The valid keys by which somebody is signed in, those seen last first. */
  static List<KeyInUse> keysInUse(
      Handle handle, long organizationId, Instant now, Instant idleSince) {
    return handle
        .createQuery(
            """
            SELECT k.id, k.name, max(s.last_seen_at), count(*)
            FROM session s JOIN api_key k ON k.id = s.owner_id
            WHERE s.organization_id = :organizationId
              AND s.ended_at IS NULL AND s.expires_at > :now AND s.last_seen_at > :idleSince
              AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > :now)
            GROUP BY k.id, k.name ORDER BY 3 DESC, k.id LIMIT :most
            """)
        .bind("organizationId", organizationId)
        .bind("now", now)
        .bind("idleSince", idleSince)
        .bind("most", MOST_KEYS)
        .map(
            (row, context) ->
                new KeyInUse(
                    row.getObject(1, UUID.class),
                    row.getString(2),
                    row.getTimestamp(3).toInstant(),
                    row.getInt(4)))
        .list();
  }

  /** Forgets those that are over and that no node can still take for open. */
  static int sweep(Handle handle, Instant endedBefore, Instant now, Instant idleSince) {
    return handle.execute(
        "DELETE FROM session WHERE ended_at < ? OR expires_at < ? OR last_seen_at < ?",
        endedBefore,
        now,
        idleSince);
  }

  private static Open read(ResultSet row, StatementContext context) throws SQLException {
    return new Open(
        row.getObject("id", UUID.class),
        new Owner(
            row.getLong("organization_id"),
            row.getObject("owner_id", UUID.class),
            row.getBoolean("of_person")),
        row.getTimestamp("last_seen_at").toInstant(),
        row.getTimestamp("expires_at").toInstant());
  }
}
