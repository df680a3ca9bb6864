package dev.mainstay.server.health.list;

import dev.mainstay.server.platform.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The table {@code kept_list}: lists that change with every judgement, as they were at their first
 * page. Their id is a hash of what they hold, so the same list is kept once.
 */
public final class KeptListStore {
  private KeptListStore() {}

  static UUID keep(Handle handle, long repositoryId, List<UUID> tests, Instant now) {
    ByteBuffer bytes = ByteBuffer.allocate(16 * tests.size());
    tests.forEach(
        t -> bytes.putLong(t.getMostSignificantBits()).putLong(t.getLeastSignificantBits()));
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of(bytes.array()));
    UUID id = new UUID(hash.getLong(), hash.getLong());
    if (!isKept(handle, repositoryId, id, now)) {
      insert(handle, repositoryId, id, tests, now);
    }
    return id;
  }

  /** A list that has not changed since somebody asked is kept for longer, and not sent again. */
  private static boolean isKept(Handle handle, long repositoryId, UUID id, Instant now) {
    return handle
            .createUpdate(
                """
                UPDATE kept_list SET made_at = greatest(made_at, :now) WHERE repository_id = :repository AND id = :id
                """)
            .bind("repository", repositoryId)
            .bind("id", id)
            .bind("now", now)
            .execute()
        > 0;
  }

  private static void insert(
      Handle handle, long repositoryId, UUID id, List<UUID> tests, Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO kept_list (repository_id, id, made_at, test_ids) VALUES (:repository, :id, :now, :tests)
            ON CONFLICT (repository_id, id) DO UPDATE SET made_at = greatest(kept_list.made_at, excluded.made_at)
            """)
        .bind("repository", repositoryId)
        .bind("id", id)
        .bind("now", now)
        .bindArray("tests", UUID.class, tests)
        .execute();
  }

  static Optional<List<UUID>> find(Handle handle, long repositoryId, UUID id) {
    return handle
        .select(
            "SELECT test_ids FROM kept_list WHERE repository_id = ? AND id = ?", repositoryId, id)
        .map((row, context) -> List.of((UUID[]) row.getArray(1).getArray()))
        .findOne();
  }

  public static int deleteExpired(Handle handle, Instant before) {
    return handle.execute("DELETE FROM kept_list WHERE made_at < ?", before);
  }
}
