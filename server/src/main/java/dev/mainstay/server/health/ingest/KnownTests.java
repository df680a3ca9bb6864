package dev.mainstay.server.health.ingest;

import com.github.benmanes.caffeine.cache.Cache;
import dev.mainstay.server.platform.Caches;
import java.util.UUID;

/**
 * Tests that this node knows to be in the database with the owners that the present rules give
 * them, so that an upload need not send them again. Tests are never deleted, so what is known stays
 * true; when the rules change, a repository is forgotten. The least used repositories go first.
 */
final class KnownTests {
  private static final int MOST_TESTS = 2_000_000;

  private final Cache<Long, OfRepository> repositories =
      Caches.weighing(MOST_TESTS, OfRepository::size);

  /** The known tests of a repository under some rules of ownership. */
  OfRepository of(long repositoryId, String rules) {
    return repositories
        .asMap()
        .compute(
            repositoryId,
            (id, found) ->
                found != null && found.rules.equals(rules) ? found : new OfRepository(id, rules));
  }

  /** Adds the tests of an upload, once the transaction that holds them is committed. */
  void add(OfRepository known, Tally tally) {
    tally.forEachKept(known::add);
    // Weighs it again.
    repositories.asMap().replace(known.id, known, known);
  }

  /** A set of ids in flat arrays. */
  static final class OfRepository {
    private final long id;
    private final String rules;
    private long[] high = new long[64];
    private long[] low = new long[64];
    private int size;

    private OfRepository(long id, String rules) {
      this.id = id;
      this.rules = rules;
    }

    synchronized boolean contains(UUID id) {
      return low[slot(id.getMostSignificantBits(), id.getLeastSignificantBits())] != 0;
    }

    private synchronized int size() {
      return size;
    }

    private synchronized void add(UUID id) {
      if (size * 2 >= low.length) {
        grow();
      }
      put(id.getMostSignificantBits(), id.getLeastSignificantBits());
    }

    private void put(long h, long l) {
      int slot = slot(h, l);
      if (low[slot] == 0) {
        high[slot] = h;
        low[slot] = l;
        size++;
      }
    }

    private void grow() {
      long[] oldHigh = high;
      long[] oldLow = low;
      high = new long[oldHigh.length * 2];
      low = new long[oldLow.length * 2];
      size = 0;
      for (int i = 0; i < oldLow.length; i++) {
        if (oldLow[i] != 0) {
          put(oldHigh[i], oldLow[i]);
        }
      }
    }

    /** The place where an id is, or would be; no id has a second half of zero. */
    private int slot(long h, long l) {
      int mask = low.length - 1;
      int slot = (int) (l ^ (h >>> 32)) & mask;
      while (low[slot] != 0 && (low[slot] != l || high[slot] != h)) {
        slot = (slot + 1) & mask;
      }
      return slot;
    }
  }
}
