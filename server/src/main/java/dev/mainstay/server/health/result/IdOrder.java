package dev.mainstay.server.health.result;

import java.util.Arrays;
import java.util.function.IntConsumer;

/**
 * The order of ids in an index: rows that come to the database in it find the next place near the
 * last one. Ids are told apart by their first 32 bits; those that share them stay as they came.
 */
public final class IdOrder {
  private static final long FIRST_BITS = 0xFFFF_FFFF_0000_0000L;

  private IdOrder() {}

  /** Visits the places of so many ids, of which the first halves are given. */
  public static void forEach(long[] high, int size, IntConsumer visitor) {
    long[] keys = new long[size];
    for (int i = 0; i < size; i++) {
      // The database compares bytes, which have no sign.
      keys[i] = ((high[i] ^ Long.MIN_VALUE) & FIRST_BITS) | i;
    }
    Arrays.sort(keys);
    for (long key : keys) {
      visitor.accept((int) key);
    }
  }
}
