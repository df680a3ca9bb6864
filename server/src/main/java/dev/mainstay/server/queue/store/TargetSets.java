package dev.mainstay.server.queue.store;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.luben.zstd.Zstd;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.server.platform.Sha256;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.WeakHashMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * Long lists of targets, which stored JSON holds by their hash. Each is in memory once for as long
 * as somebody uses it. Lists are sorted when they come in, so that equal ones are written equally.
 */
public final class TargetSets {
  private static final int MOST_INLINE = 24;
  private static final int MOST_INLINE_CHARS = 1_500;
  private static final JsonMapper JSON = new JsonMapper();

  private static final Cache<String, ImpactedTargets> BY_HASH =
      Caffeine.newBuilder().weakValues().executor(Runnable::run).build();
  private static final Map<ImpactedTargets, String> HASHES =
      Collections.synchronizedMap(new WeakHashMap<>());

  private TargetSets() {}

  /** The same targets in the one order that they are kept in. */
  public static ImpactedTargets sorted(ImpactedTargets targets) {
    return targets.all() ? targets : ImpactedTargets.of(new TreeSet<>(targets.names()));
  }

  /** The hash these are stored under, where they are too long to be written out. */
  static Optional<String> hash(ImpactedTargets targets) {
    if (isShort(targets)) {
      return Optional.empty();
    }
    String known = HASHES.get(targets);
    if (known != null) {
      return Optional.of(known);
    }
    String hash = HexFormat.of().formatHex(sha256(targets));
    remember(hash, targets);
    return Optional.of(hash);
  }

  /** The targets in memory under this hash. */
  static Optional<ImpactedTargets> known(String hash) {
    return Optional.ofNullable(BY_HASH.getIfPresent(hash));
  }

  static byte[] compressed(ImpactedTargets targets) {
    return Zstd.compress(JSON.writeValueAsBytes(targets.names()));
  }

  static ImpactedTargets decompressed(String hash, byte[] names) {
    byte[] json = Zstd.decompress(names, Math.toIntExact(Zstd.getFrameContentSize(names)));
    var targets = ImpactedTargets.of(JSON.readValue(json, String[].class));
    remember(hash, targets);
    return targets;
  }

  private static void remember(String hash, ImpactedTargets targets) {
    HASHES.put(targets, hash);
    BY_HASH.put(hash, targets);
  }

  private static boolean isShort(ImpactedTargets targets) {
    return targets.names().size() <= MOST_INLINE
        && targets.names().stream().mapToInt(String::length).sum() <= MOST_INLINE_CHARS;
  }

  private static byte[] sha256(ImpactedTargets targets) {
    var bytes = new ByteArrayOutputStream();
    for (String name : targets.names()) {
      bytes.writeBytes(name.getBytes(StandardCharsets.UTF_8));
      bytes.write(0);
    }
    return Sha256.of(bytes.toByteArray());
  }
}
