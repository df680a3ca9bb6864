package dev.mainstay.server.report.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at bytes eight at a time. */
final class PlainBytes {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private PlainBytes() {}

  /** The index of the first end of a line, or {@code to}. */
  static int endOfLine(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long zeroWhereEnd = (long) EIGHT.get(bytes, i) ^ ('\n' * ONES);
      long found = (zeroWhereEnd - ONES) & ~zeroWhereEnd & HIGHS;
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / 8;
      }
    }
    while (i < to && bytes[i] != '\n') {
      i++;
    }
    return i;
  }

  /** True where all are printable characters of ASCII. */
  static boolean areAscii(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long eight = (long) EIGHT.get(bytes, i);
      // A byte below the blank borrows; one above ASCII has its highest bit already.
      if (((eight | (eight - ' ' * ONES)) & HIGHS) != 0) {
        return false;
      }
    }
    for (; i < to; i++) {
      if (bytes[i] < ' ') {
        return false;
      }
    }
    return true;
  }
}
