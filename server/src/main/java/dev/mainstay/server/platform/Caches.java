package dev.mainstay.server.platform;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.function.ToIntFunction;

/** Maps with a bound: what is asked for seldom goes first, at once and on the caller's thread. */
public final class Caches {
  private Caches() {}

  public static <K, V> Cache<K, V> ofAtMost(long entries) {
    return Caffeine.newBuilder().executor(Runnable::run).maximumSize(entries).build();
  }

  /** Bounds the weights of all values together; a value is weighed when it is put. */
  public static <K, V> Cache<K, V> weighing(long most, ToIntFunction<V> weight) {
    return Caffeine.newBuilder()
        .executor(Runnable::run)
        .maximumWeight(most)
        .<K, V>weigher((key, value) -> weight.applyAsInt(value))
        .build();
  }
}
