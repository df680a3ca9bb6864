package dev.mainstay.server.report;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Looks at bytes eight at a time. */
public final class PlainBytes {
  private static final VarHandle EIGHT =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101010101010101L;
  private static final long HIGHS = 0x8080808080808080L;

  private PlainBytes() {}

  /** True where bytes from an index on are the first ones of others; there must be as many. */
  public static boolean areEqual(byte[] bytes, int from, byte[] others, int count) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      if ((long) EIGHT.get(bytes, from + i) != (long) EIGHT.get(others, i)) {
        return false;
      }
    }
    for (; i < count; i++) {
      if (bytes[from + i] != others[i]) {
        return false;
      }
    }
    return true;
  }

  /** The index of the first end of a line, or {@code to}. */
  public static int endOfLine(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long found = zeros((long) EIGHT.get(bytes, i) ^ ('\n' * ONES));
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / 8;
      }
    }
    while (i < to && bytes[i] != '\n') {
      i++;
    }
    return i;
  }

  /** The index of the first byte that is no printable character of ASCII, or {@code to}. */
  public static int endOfAscii(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long found = notAscii((long) EIGHT.get(bytes, i));
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / 8;
      }
    }
    while (i < to && bytes[i] >= ' ') {
      i++;
    }
    return i;
  }

  /** The index of the first byte that is no printable ASCII or a quote or backslash. */
  public static int endOfPlainText(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long eight = (long) EIGHT.get(bytes, i);
      long found = notAscii(eight) | marks(eight);
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / 8;
      }
    }
    while (i < to && bytes[i] >= ' ' && bytes[i] != '"' && bytes[i] != '\\') {
      i++;
    }
    return i;
  }

  /** The index of the quote that ends a text of JSON, or {@code to} where it does not end. */
  public static int endOfText(byte[] bytes, int from, int to) {
    int i = quoteOrBackslash(bytes, from, to);
    while (i < to && bytes[i] == '\\') {
      i = quoteOrBackslash(bytes, Math.min(i + 2, to), to);
    }
    return i;
  }

  /**
   * The index of the first byte that XML may not take as it is: a control character, an ampersand,
   * or a bracket that has another or an exclamation mark beside it.
   */
  public static int endOfPlainXml(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long eight = (long) EIGHT.get(bytes, i);
      long found = controls(eight) | zeros(eight ^ ('<' * ONES)) | zeros(eight ^ ('&' * ONES));
      for (; found != 0; found &= found - 1) {
        int at = i + Long.numberOfTrailingZeros(found) / 8;
        if (!isPlainXml(bytes, at, to)) {
          return at;
        }
      }
    }
    while (i < to && isPlainXml(bytes, i, to)) {
      i++;
    }
    return i;
  }

  private static boolean isPlainXml(byte[] bytes, int at, int to) {
    byte b = bytes[at];
    if (b == '<') {
      return at > 0
          && at + 1 < to
          && bytes[at - 1] != '<'
          && bytes[at + 1] != '<'
          && bytes[at + 1] != '!';
    }
    return b != '&' && !isControl(b);
  }

  /** The same in a part of XML that is plain text: a control character, or {@code ]}. */
  public static int endOfPlainCdata(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long eight = (long) EIGHT.get(bytes, i);
      long found = controls(eight) | zeros(eight ^ (']' * ONES));
      for (; found != 0; found &= found - 1) {
        int at = i + Long.numberOfTrailingZeros(found) / 8;
        if (!isPlainCdata(bytes[at])) {
          return at;
        }
      }
    }
    while (i < to && isPlainCdata(bytes[i])) {
      i++;
    }
    return i;
  }

  private static boolean isPlainCdata(byte b) {
    return b != ']' && !isControl(b);
  }

  /** True for a control character that is no space. */
  private static boolean isControl(byte b) {
    return b >= 0 && b < ' ' && b != '\n' && b != '\t' && b != '\r';
  }

  private static int quoteOrBackslash(byte[] bytes, int from, int to) {
    int i = from;
    for (; i + 8 <= to; i += 8) {
      long found = marks((long) EIGHT.get(bytes, i));
      if (found != 0) {
        return i + Long.numberOfTrailingZeros(found) / 8;
      }
    }
    while (i < to && bytes[i] != '"' && bytes[i] != '\\') {
      i++;
    }
    return i;
  }

  /** The highest bits of quotes and backslashes; above the lowest of them others may be set. */
  private static long marks(long eight) {
    return zeros(eight ^ ('"' * ONES)) | zeros(eight ^ ('\\' * ONES));
  }

  /** The highest bits of bytes that are zero; above the lowest of them others may be set. */
  private static long zeros(long eight) {
    return (eight - ONES) & ~eight & HIGHS;
  }

  /**
   * The highest bits of bytes that are no printable ASCII: one below the blank borrows, one above
   * ASCII has that bit already. Above the lowest of them others may be set.
   */
  private static long notAscii(long eight) {
    return (eight | (eight - ' ' * ONES)) & HIGHS;
  }

  /** The highest bits of bytes below the blank; above the lowest of them others may be set. */
  private static long controls(long eight) {
    return (eight - ' ' * ONES) & ~eight & HIGHS;
  }
}
