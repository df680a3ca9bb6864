package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.health.result.CommitOutcome;
import dev.mainstay.server.health.result.IdOrder;
import java.time.Instant;
import java.util.Arrays;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The outcomes of each test of an upload, by the hour, in some sixty bytes each: an upload may hold
 * two million tests. Entries of one test form a chain whose head also counts attempts and cases.
 */
final class Tally {
  private static final int NONE = -1;

  /** Stands for the hour of a test none of whose attempts is kept. */
  private static final int NO_HOUR = Integer.MIN_VALUE;

  static final int MOST_HOURS_OF_A_TEST = 1000;
  static final long NEVER = CommitOutcome.NEVER;
  private static final long HOUR_MILLIS = 3_600_000;

  private long[] high = new long[64];
  private long[] low = new long[64];
  private int[] hour = new int[64];
  private int[] passes = new int[64];
  private int[] failures = new int[64];
  private int[] skips = new int[64];
  private long[] lastFailedAt = new long[64];
  private long[] firstPassedAt = new long[64];
  private int[] cases = new int[64];
  private int[] failedCases = new int[64];
  private int[] next = new int[64];
  private int[] slots = filled(128);
  private int size;
  private int tests;

  /** The place of a test, for as long as the tally is filled. */
  int test(UUID id) {
    return head(id.getMostSignificantBits(), id.getLeastSignificantBits());
  }

  /** Counts an attempt that is kept; false where it is one hour too many. */
  boolean add(int test, long ranAtMillis, Outcome outcome) {
    int entry = ofHour(test, Math.toIntExact(Math.floorDiv(ranAtMillis, HOUR_MILLIS)));
    if (entry == NONE) {
      return false;
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
    return true;
  }

  /** Counts how a case ended, kept or not, and returns how many of this test have. */
  int decide(int test, boolean failed) {
    failedCases[test] += failed ? 1 : 0;
    return ++cases[test];
  }

  boolean isKept(int test) {
    return hour[test] != NO_HOUR;
  }

  int tests() {
    return tests;
  }

  int entries() {
    return size;
  }

  /** Takes a test in one hour, by the number of the hour since 1970, and its counts. */
  interface EntryVisitor {
    void entry(long high, long low, int hour, int passes, int failures, int skips);
  }

  static Instant start(int hour) {
    return Instant.ofEpochMilli(hour * HOUR_MILLIS);
  }

  void forEach(EntryVisitor visitor) {
    for (int i = 0; i < size; i++) {
      visit(i, visitor);
    }
  }

  void forEachInOrderOfIds(EntryVisitor visitor) {
    IdOrder.forEach(high, size, i -> visit(i, visitor));
  }

  private void visit(int i, EntryVisitor visitor) {
    if (hour[i] != NO_HOUR) {
      visitor.entry(high[i], low[i], hour[i], passes[i], failures[i], skips[i]);
    }
  }

  private static int sum(int[] counts, int head, int[] next) {
    int sum = 0;
    for (int i = head; i != NONE; i = next[i]) {
      sum += counts[i];
    }
    return sum;
  }

  /**
   * Visits what one and the same code did, of the tests that failed at least once and of those that
   * are wanted besides: where one of several cases of a test failed, the passes of the others are
   * not its own.
   */
  void forEachOfCommit(Predicate<UUID> wanted, Consumer<CommitOutcome> visitor) {
    for (int slot : slots) {
      if (slot != NONE && hour[slot] != NO_HOUR) {
        UUID id = new UUID(high[slot], low[slot]);
        if (sum(failures, slot, next) > 0 || wanted.test(id)) {
          visitor.accept(outcome(id, slot));
        }
      }
    }
  }

  private CommitOutcome outcome(UUID id, int head) {
    boolean oneOfSeveral = cases[head] > 1 && failedCases[head] > 0;
    long lastHour = Long.MIN_VALUE;
    long firstFailed = NEVER;
    long lastFailed = NEVER;
    long firstPassed = NEVER;
    for (int i = head; i != NONE; i = next[i]) {
      lastHour = Math.max(lastHour, hour[i]);
      firstFailed = earlier(firstFailed, lastFailedAt[i]);
      lastFailed = Math.max(lastFailed, lastFailedAt[i]);
      firstPassed = oneOfSeveral ? NEVER : earlier(firstPassed, firstPassedAt[i]);
    }
    return new CommitOutcome(
        id,
        sum(failures, head, next),
        oneOfSeveral ? 0 : sum(passes, head, next),
        lastHour * HOUR_MILLIS,
        firstFailed,
        lastFailed,
        firstPassed);
  }

  private static long earlier(long one, long other) {
    return one == NEVER ? other : other == NEVER ? one : Math.min(one, other);
  }

  /** Takes a test: whether a case of it failed to the end, and whether one passed on retry. */
  interface TestVisitor {
    void test(UUID id, boolean failed, boolean retried);
  }

  void forEachTest(TestVisitor visitor) {
    for (int slot : slots) {
      if (slot != NONE) {
        boolean failed = failedCases[slot] > 0;
        boolean retried = !failed && sum(failures, slot, next) > 0 && sum(passes, slot, next) > 0;
        visitor.test(new UUID(high[slot], low[slot]), failed, retried);
      }
    }
  }

  /** Visits the ids of the tests of which an attempt is kept. */
  void forEachKept(Consumer<UUID> visitor) {
    for (int slot : slots) {
      if (slot != NONE && hour[slot] != NO_HOUR) {
        visitor.accept(new UUID(high[slot], low[slot]));
      }
    }
  }

  private int head(long h, long l) {
    if (tests * 2 >= slots.length) {
      rehash();
    }
    int slot = slot(h, l);
    if (slots[slot] == NONE) {
      slots[slot] = append(h, l, NO_HOUR);
      tests++;
    }
    return slots[slot];
  }

  private int ofHour(int head, int wanted) {
    if (hour[head] == NO_HOUR) {
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
    lastFailedAt = Arrays.copyOf(lastFailedAt, length);
    firstPassedAt = Arrays.copyOf(firstPassedAt, length);
    cases = Arrays.copyOf(cases, length);
    failedCases = Arrays.copyOf(failedCases, length);
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
