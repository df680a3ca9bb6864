package dev.mainstay.core.simulation;

import java.util.Arrays;
import java.util.stream.LongStream;

/** Nearest-rank percentiles: always a value that occurred. */
final class Percentiles {
  private final long[] sorted;

  Percentiles(LongStream values) {
    sorted = values.toArray();
    Arrays.sort(sorted);
  }

  /** The smallest value that at least this percentage of all values do not exceed; 0 of nothing. */
  long at(double percent) {
    if (sorted.length == 0) {
      return 0;
    }
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.clamp(rank, 1, sorted.length) - 1];
  }
}
