package dev.mainstay.server.health.list;

import dev.mainstay.server.health.result.FailingStore.Failed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Tests by the time they last failed, the latest first, ties by id; in 24 bytes a test. An order
 * never changes. Ids are compared as the database compares them, as bytes without a sign.
 */
final class FailingOrder {
  private static final int BITS = 1 << 16;
  private static final Comparator<Failed> ORDER =
      (a, b) ->
          order(
              a.at(),
              a.test().getMostSignificantBits(),
              a.test().getLeastSignificantBits(),
              b.at(),
              b.test().getMostSignificantBits(),
              b.test().getLeastSignificantBits());

  private final long[] at;
  private final long[] high;
  private final long[] low;
  private final int size;

  private FailingOrder(int capacity, List<Failed> sorted) {
    at = new long[capacity];
    high = new long[capacity];
    low = new long[capacity];
    size = sorted.size();
    for (int i = 0; i < size; i++) {
      put(i, sorted.get(i));
    }
  }

  private FailingOrder(long[] at, long[] high, long[] low, int size) {
    this.at = at;
    this.high = high;
    this.low = low;
    this.size = size;
  }

  static FailingOrder of(List<Failed> tests) {
    var sorted = new ArrayList<>(tests);
    sorted.sort(ORDER);
    return new FailingOrder(sorted.size(), sorted);
  }

  private void put(int i, Failed failed) {
    at[i] = failed.at();
    high[i] = failed.test().getMostSignificantBits();
    low[i] = failed.test().getLeastSignificantBits();
  }

  int size() {
    return size;
  }

  UUID test(int i) {
    return new UUID(high[i], low[i]);
  }

  /** The number of tests that failed last at this time or later. */
  int countSince(Instant time) {
    long millis = time.toEpochMilli();
    int from = 0;
    int to = size;
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (at[middle] >= millis) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  /** The tests from one place to another. */
  List<UUID> tests(int from, int to) {
    var tests = new ArrayList<UUID>();
    for (int i = from; i < to; i++) {
      tests.add(test(i));
    }
    return tests;
  }

  /** The part from one place to another, with some tests that are not in it. */
  FailingOrder part(int from, int to, List<Failed> more) {
    var added = new ArrayList<>(more);
    added.sort(ORDER);
    return merged(from, to, added, Map.of());
  }

  /**
   * The order after some failures; one that is earlier than the known one of its test changes
   * nothing.
   */
  FailingOrder after(Map<UUID, Long> failures) {
    var moved = new HashMap<>(failures);
    BitSet possible = possible(failures);
    for (int i = 0; i < size; i++) {
      if (possible.get(bit(low[i]))) {
        long known = at[i];
        moved.computeIfPresent(test(i), (test, then) -> then > known ? then : null);
      }
    }
    if (moved.isEmpty()) {
      return this;
    }
    var added = new ArrayList<Failed>();
    moved.forEach((test, then) -> added.add(new Failed(test, then)));
    added.sort(ORDER);
    return merged(0, size, added, moved);
  }

  private FailingOrder merged(int from, int to, List<Failed> added, Map<UUID, Long> leftOut) {
    var merged = new FailingOrder(to - from + added.size(), List.of());
    BitSet possible = possible(leftOut);
    int next = 0;
    int n = 0;
    for (int i = from; i < to; i++) {
      if (possible.get(bit(low[i])) && leftOut.containsKey(test(i))) {
        continue;
      }
      while (next < added.size() && isBefore(added.get(next), i)) {
        merged.put(n++, added.get(next++));
      }
      merged.at[n] = at[i];
      merged.high[n] = high[i];
      merged.low[n++] = low[i];
    }
    while (next < added.size()) {
      merged.put(n++, added.get(next++));
    }
    return new FailingOrder(merged.at, merged.high, merged.low, n);
  }

  /** Saves asking the map for most of the tests that are not in it. */
  private static BitSet possible(Map<UUID, Long> tests) {
    var possible = new BitSet(BITS);
    tests.keySet().forEach(test -> possible.set(bit(test.getLeastSignificantBits())));
    return possible;
  }

  private static int bit(long low) {
    return (int) low & (BITS - 1);
  }

  private boolean isBefore(Failed a, int i) {
    return order(
            a.at(),
            a.test().getMostSignificantBits(),
            a.test().getLeastSignificantBits(),
            at[i],
            high[i],
            low[i])
        < 0;
  }

  private static int order(long atA, long highA, long lowA, long atB, long highB, long lowB) {
    int byTime = Long.compare(atB, atA);
    if (byTime != 0) {
      return byTime;
    }
    int byHigh = Long.compareUnsigned(highA, highB);
    return byHigh != 0 ? byHigh : Long.compareUnsigned(lowA, lowB);
  }
}
