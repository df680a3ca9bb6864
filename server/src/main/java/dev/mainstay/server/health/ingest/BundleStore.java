package dev.mainstay.server.health.ingest;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/** The table {@code bundle}. */
public final class BundleStore {
  private BundleStore() {}

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

  public static int deleteExpired(Handle handle, Instant before) {
    return handle.execute("DELETE FROM bundle WHERE expires_at < ?", before);
  }
}
