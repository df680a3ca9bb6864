package dev.mainstay.server.access;

import dev.mainstay.server.platform.http.Scope;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The tables {@code api_key} and {@code api_key_version}. */
final class KeyStore {
  private static final int MAX_LISTED = 1000;

  private KeyStore() {}

  /** A stored key with what the ring needs to find it. */
  record Entry(ApiKey key, Token.Hash hash, long version) {}

  static void insert(Handle handle, ApiKey key, Token.Hash hash) {
    handle
        .createUpdate(
            """
            INSERT INTO api_key (id, organization_id, name, token_hash, scopes, created_at, expires_at, version)
            VALUES (:id, :organizationId, :name, :hash, string_to_array(:scopes, ','), :createdAt, :expiresAt, :version)
            """)
        .bind("id", key.id())
        .bind("organizationId", key.organizationId())
        .bind("name", key.name())
        .bind("hash", hash.bytes())
        .bind("scopes", key.scopes().stream().map(Scope::label).collect(Collectors.joining(",")))
        .bind("createdAt", key.createdAt())
        .bind("expiresAt", key.expiresAt().orElse(null))
        .bind("version", nextVersion(handle))
        .execute();
  }

  static int countValid(Handle handle, long organizationId, Instant now) {
    return handle
        .select(
            """
            SELECT count(*) FROM api_key
            WHERE organization_id = ? AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ?)
            """,
            organizationId,
            now)
        .mapTo(Integer.class)
        .one();
  }

  /** The newest keys of an organization, revoked and expired ones included. */
  static List<ApiKey> list(Handle handle, long organizationId) {
    return handle
        .select(
            """
            SELECT k.*, o.slug FROM api_key k JOIN organization o ON o.id = k.organization_id
            WHERE k.organization_id = ? ORDER BY k.created_at DESC, k.id LIMIT ?
            """,
            organizationId,
            MAX_LISTED)
        .map(KeyStore::read)
        .list();
  }

  static Optional<ApiKey> find(Handle handle, long organizationId, UUID id) {
    return handle
        .select(
            """
            SELECT k.*, o.slug FROM api_key k JOIN organization o ON o.id = k.organization_id
            WHERE k.organization_id = ? AND k.id = ?
            """,
            organizationId,
            id)
        .map(KeyStore::read)
        .findOne();
  }

  /** Ends a key at a time, or sooner if it ends sooner already. */
  static void expire(Handle handle, UUID id, Instant at) {
    handle.execute(
        "UPDATE api_key SET expires_at = least(expires_at, ?), version = ? WHERE id = ?",
        at,
        nextVersion(handle),
        id);
  }

  static void revoke(Handle handle, UUID id, Instant now) {
    handle.execute(
        "UPDATE api_key SET revoked_at = coalesce(revoked_at, ?), version = ? WHERE id = ?",
        now,
        nextVersion(handle),
        id);
  }

  static List<Entry> changedSince(Handle handle, long version) {
    return handle
        .select(
            """
            SELECT k.*, o.slug FROM api_key k JOIN organization o ON o.id = k.organization_id
            WHERE k.version > ? ORDER BY k.version
            """,
            version)
        .map(
            (row, context) ->
                new Entry(
                    read(row, context),
                    new Token.Hash(row.getBytes("token_hash")),
                    row.getLong("version")))
        .list();
  }

  static void recordUse(Handle handle, Map<UUID, Instant> uses) {
    var batch =
        handle.prepareBatch(
            "UPDATE api_key SET last_used_at = greatest(last_used_at, ?) WHERE id = ?");
    uses.forEach((id, at) -> batch.bind(0, at).bind(1, id).add());
    batch.execute();
  }

  /** Locks the version until the transaction ends: versions become visible in their order. */
  private static long nextVersion(Handle handle) {
    return handle
        .createQuery("UPDATE api_key_version SET version = version + 1 RETURNING version")
        .mapTo(Long.class)
        .one();
  }

  private static ApiKey read(ResultSet row, StatementContext context) throws SQLException {
    String[] labels = (String[]) row.getArray("scopes").getArray();
    return new ApiKey(
        row.getObject("id", UUID.class),
        row.getLong("organization_id"),
        row.getString("slug"),
        row.getString("name"),
        Arrays.stream(labels)
            .flatMap(label -> Scope.of(label).stream())
            .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class))),
        row.getTimestamp("created_at").toInstant(),
        time(row, "expires_at"),
        time(row, "revoked_at"),
        time(row, "last_used_at"));
  }

  private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getTimestamp(column)).map(Timestamp::toInstant);
  }
}
