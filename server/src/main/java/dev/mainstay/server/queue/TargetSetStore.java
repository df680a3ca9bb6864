package dev.mainstay.server.queue;

import dev.mainstay.core.queue.ImpactedTargets;
import java.util.HexFormat;
import java.util.function.Function;
import org.jdbi.v3.core.Handle;

/** The table {@code target_set}. */
final class TargetSetStore {
  private TargetSetStore() {}

  /** Stores a list of targets that is too long to be written out, unless it is there. */
  static void save(Handle handle, long queueId, ImpactedTargets targets) {
    TargetSets.hash(targets).ifPresent(hash -> save(handle, queueId, hash, targets));
  }

  private static void save(Handle handle, long queueId, String hash, ImpactedTargets targets) {
    byte[] key = HexFormat.of().parseHex(hash);
    boolean known =
        handle
            .select("SELECT 1 FROM target_set WHERE queue_id = ? AND hash = ?", queueId, key)
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    if (!known) {
      handle.execute(
          "INSERT INTO target_set (queue_id, hash, names) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
          queueId,
          key,
          TargetSets.compressed(targets));
    }
  }

  /** Finds lists of a queue by their hash. */
  static Function<String, ImpactedTargets> reader(Handle handle, long queueId) {
    return hash ->
        TargetSets.decompressed(
            hash,
            handle
                .select(
                    "SELECT names FROM target_set WHERE queue_id = ? AND hash = ?",
                    queueId,
                    HexFormat.of().parseHex(hash))
                .mapTo(byte[].class)
                .one());
  }
}
