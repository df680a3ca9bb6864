package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.platform.CopyRows;
import java.util.Arrays;
import java.util.UUID;

/**
 * The outcomes of each test of an upload, by the hour, in some sixty bytes each: an upload may hold
 * two million tests. Entries of one test form a chain whose head also counts the attempts.
 */
final class Tally {
  private static final int NONE = -1;
  static final int MOST_HOURS_OF_A_TEST = 1000;
  static final long NEVER = CopyRows.NEVER;

  private long[] high = new long[64];
  private long[] low = new long[64];
  private int[] hour = new int[64];
  private int[] passes = new int[64];
  private int[] failures = new int[64];
  private int[] skips = new int[64];
  private int[] attempts = new int[64];
  private long[] lastFailedAt = new long[64];
  private long[] firstPassedAt = new long[64];
  private Outcome[] lastOutcome = new Outcome[64];
  private int[] next = new int[64];
  private int[] slots = filled(128);
  private int size;
  private int tests;

  /** Counts one attempt and returns its number, from 1; or 0 when it is one hour too many. */
  int add(UUID test, long ranAtMillis, Outcome outcome) {
    int head = head(test.getMostSignificantBits(), test.getLeastSignificantBits());
    int entry = ofHour(head, Math.toIntExact(Math.floorDiv(ranAtMillis, 3_600_000L)));
    if (entry == NONE) {
      return 0;
    }
    switch (outcome) {
      case PASSED -> {
        firstPassedAt[entry] =
            passes[entry] == 0 ? ranAtMillis : Math.min(firstPassedAt[entry], ranAtMillis);
        passes[entry]++;
      }
      case FAILED, ERRORED -> {
        failures[entry]++;
        lastFailedAt[entry] = Math.max(lastFailedAt[entry], ranAtMillis);
      }
      case SKIPPED -> skips[entry]++;
    }
    lastOutcome[head] = outcome;
    return ++attempts[head];
  }

  int tests() {
    return tests;
  }

  int entries() {
    return size;
  }

  /** Takes a test in one hour: its counts, and the times of its last failure and its first pass. */
  interface EntryVisitor {
    void entry(
        long high,
        long low,
        int hour,
        int passes,
        int failures,
        int skips,
        long failedAt,
        long passedAt);
  }

  void forEach(EntryVisitor visitor) {
    for (int i = 0; i < size; i++) {
      visit(i, visitor);
    }
  }

  private void visit(int i, EntryVisitor visitor) {
    visitor.entry(
        high[i],
        low[i],
        hour[i],
        passes[i],
        failures[i],
        skips[i],
        lastFailedAt[i],
        firstPassedAt[i]);
  }

  private int failuresOf(int head) {
    int failed = 0;
    for (int i = head; i != NONE; i = next[i]) {
      failed += failures[i];
    }
    return failed;
  }

  /** Visits all entries of those tests that failed at least once. */
  void forEachOfFailed(EntryVisitor visitor) {
    for (int slot : slots) {
      if (slot != NONE && failuresOf(slot) > 0) {
        for (int i = slot; i != NONE; i = next[i]) {
          visit(i, visitor);
        }
      }
    }
  }

  /** Takes a test and how it ended. */
  interface TestVisitor {
    void test(UUID id, Outcome last, boolean failedBefore);
  }

  void forEachTest(TestVisitor visitor) {
    for (int slot : slots) {
      if (slot != NONE) {
        int failed = 0;
        for (int i = slot; i != NONE; i = next[i]) {
          failed += failures[i];
        }
        visitor.test(new UUID(high[slot], low[slot]), lastOutcome[slot], failed > 0);
      }
    }
  }

  private int head(long h, long l) {
    if (tests * 2 >= slots.length) {
      rehash();
    }
    int slot = slot(h, l);
    if (slots[slot] == NONE) {
      slots[slot] = append(h, l, Integer.MIN_VALUE);
      tests++;
    }
    return slots[slot];
  }

  private int ofHour(int head, int wanted) {
    if (hour[head] == Integer.MIN_VALUE) {
      hour[head] = wanted;
      return head;
    }
    int last = head;
    int steps = 0;
    for (int i = head; i != NONE; i = next[i]) {
      if (hour[i] == wanted) {
        return i;
      }
      last = i;
      steps++;
    }
    if (steps >= MOST_HOURS_OF_A_TEST) {
      return NONE;
    }
    int entry = append(high[head], low[head], wanted);
    next[last] = entry;
    return entry;
  }

  private int append(long h, long l, int ofHour) {
    if (size == high.length) {
      grow(size * 2);
    }
    high[size] = h;
    low[size] = l;
    hour[size] = ofHour;
    lastFailedAt[size] = NEVER;
    firstPassedAt[size] = NEVER;
    next[size] = NONE;
    return size++;
  }

  private void grow(int length) {
    high = Arrays.copyOf(high, length);
    low = Arrays.copyOf(low, length);
    hour = Arrays.copyOf(hour, length);
    passes = Arrays.copyOf(passes, length);
    failures = Arrays.copyOf(failures, length);
    skips = Arrays.copyOf(skips, length);
    attempts = Arrays.copyOf(attempts, length);
    lastFailedAt = Arrays.copyOf(lastFailedAt, length);
    firstPassedAt = Arrays.copyOf(firstPassedAt, length);
    lastOutcome = Arrays.copyOf(lastOutcome, length);
    next = Arrays.copyOf(next, length);
  }

  private void rehash() {
    int[] old = slots;
    slots = filled(old.length * 2);
    for (int head : old) {
      if (head != NONE) {
        slots[slot(high[head], low[head])] = head;
      }
    }
  }

  private int slot(long h, long l) {
    int mask = slots.length - 1;
    // The bits of an id are those of a hash.
    int slot = (int) (l ^ (h >>> 32)) & mask;
    while (slots[slot] != NONE && (high[slots[slot]] != h || low[slots[slot]] != l)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private static int[] filled(int length) {
    int[] array = new int[length];
    Arrays.fill(array, NONE);
    return array;
  }
}
