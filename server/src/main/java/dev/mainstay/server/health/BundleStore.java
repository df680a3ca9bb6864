package dev.mainstay.server.health;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The tables {@code bundle} and {@code secret}. */
final class BundleStore {
  private static final String SECRET = "bundle-addresses";

  private BundleStore() {}

  /** The secret all nodes sign with; made once. */
  static byte[] secret(Handle handle, byte[] proposed) {
    handle.execute(
        "INSERT INTO secret (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING", SECRET, proposed);
    return handle
        .select("SELECT value FROM secret WHERE name = ?", SECRET)
        .mapTo(byte[].class)
        .one();
  }

  static void insert(Handle handle, UUID id, long repositoryId, Instant now, Instant expiresAt) {
    handle.execute(
        "INSERT INTO bundle (id, repository_id, created_at, expires_at) VALUES (?, ?, ?, ?)",
        id,
        repositoryId,
        now,
        expiresAt);
  }

  /**
   * The repository a bundle is for, when this content is the first for it, or the same as before:
   * then the sender has missed the answer.
   */
  static Optional<Long> claim(Handle handle, UUID id, byte[] contentHash) {
    return handle
        .createQuery(
            """
            UPDATE bundle SET content_hash = :hash
            WHERE id = :id AND (content_hash IS NULL OR content_hash = :hash)
            RETURNING repository_id
            """)
        .bind("id", id)
        .bind("hash", contentHash)
        .mapTo(Long.class)
        .findOne();
  }

  static int deleteExpired(Handle handle, Instant before) {
    return handle.execute("DELETE FROM bundle WHERE expires_at < ?", before);
  }
}
