package dev.mainstay.server.health.ingest;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Tests that this node knows to be in the database with the owners that the present rules give
 * them, so that an upload need not send them again. Tests are never deleted, so what is known stays
 * true; when the rules change, a repository is forgotten. The least used repositories go first.
 */
final class KnownTests {
  private static final int MOST_TESTS = 2_000_000;

  private final Map<Long, OfRepository> repositories = new LinkedHashMap<>(16, 0.75f, true);

  /** The known tests of a repository under some rules of ownership. */
  synchronized OfRepository of(long repositoryId, String rules) {
    OfRepository found = repositories.get(repositoryId);
    if (found == null || !found.rules.equals(rules)) {
      found = new OfRepository(rules);
      repositories.put(repositoryId, found);
    }
    return found;
  }

  /** Adds the tests of an upload, once the transaction that holds them is committed. */
  synchronized void add(OfRepository known, Tally tally) {
    tally.forEachTest((id, last, failedBefore) -> known.add(id));
    int total = repositories.values().stream().mapToInt(OfRepository::size).sum();
    var eldest = repositories.entrySet().iterator();
    while (total > MOST_TESTS && eldest.hasNext()) {
      total -= eldest.next().getValue().size();
      eldest.remove();
    }
  }

  /** A set of ids in flat arrays. */
  static final class OfRepository {
    private final String rules;
    private long[] high = new long[64];
    private long[] low = new long[64];
    private int size;

    private OfRepository(String rules) {
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
