package dev.mainstay.server.health.result;

import dev.mainstay.core.health.Outcome;
import java.util.Arrays;
import java.util.UUID;

/** Runs that wait for others, to go on in the order of their tests. */
final class WaitingRuns {
  private static final int MOST = 65_536;

  private long[] high = new long[64];
  private long[] low = new long[64];
  private long[] ranAt = new long[64];
  private int[] duration = new int[64];
  private short[] attempt = new short[64];
  private byte[] outcome = new byte[64];
  private boolean[] decides = new boolean[64];
  private int size;

  /** Takes a run of a test, by the halves of its id. */
  interface Visitor {
    void run(
        long high,
        long low,
        long ranAt,
        int outcome,
        int attempt,
        boolean decides,
        int durationMillis);
  }

  /** Adds a run; true where no other has room. */
  boolean add(UUID test, long at, Outcome ended, int number, boolean decisive, int durationMillis) {
    if (size == high.length) {
      grow(size * 2);
    }
    high[size] = test.getMostSignificantBits();
    low[size] = test.getLeastSignificantBits();
    ranAt[size] = at;
    duration[size] = durationMillis;
    attempt[size] = (short) number;
    outcome[size] = (byte) ended.code();
    decides[size] = decisive;
    return ++size == MOST;
  }

  /** Lets all of them go. */
  void release(Visitor visitor) {
    IdOrder.forEach(
        high,
        size,
        i ->
            visitor.run(
                high[i], low[i], ranAt[i], outcome[i], attempt[i], decides[i], duration[i]));
    size = 0;
  }

  private void grow(int length) {
    high = Arrays.copyOf(high, length);
    low = Arrays.copyOf(low, length);
    ranAt = Arrays.copyOf(ranAt, length);
    duration = Arrays.copyOf(duration, length);
    attempt = Arrays.copyOf(attempt, length);
    outcome = Arrays.copyOf(outcome, length);
    decides = Arrays.copyOf(decides, length);
  }
}
