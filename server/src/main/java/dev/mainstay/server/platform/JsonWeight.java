package dev.mainstay.server.platform;

/**
 * What a JSON text takes in memory when it is read, told before it is: a few bytes of it may become
 * thirty times as many. The figures are what Jackson's trees were measured to take at their worst,
 * with what it needs on the way; see docs/adr/0034.
 */
public final class JsonWeight {
  private static final int PER_BYTE = 2;
  private static final int PER_OBJECT = 112;
  private static final int PER_ARRAY = 104;
  private static final int PER_KEY = 176;
  private static final int PER_VALUE = 88;

  private JsonWeight() {}

  /** At least the bytes that this text takes as a tree, if it is JSON. */
  public static long of(byte[] text) {
    long weight = (long) PER_BYTE * text.length;
    boolean quoted = false;
    for (int i = 0; i < text.length; i++) {
      if (quoted) {
        switch (text[i]) {
          case '\\' -> i++;
          case '"' -> quoted = false;
          default -> {}
        }
      } else {
        switch (text[i]) {
          case '"' -> quoted = true;
          case '{' -> weight += PER_OBJECT;
          case '[' -> weight += PER_ARRAY;
          case ':' -> weight += PER_KEY;
          case ',' -> weight += PER_VALUE;
          default -> {}
        }
      }
    }
    return weight;
  }
}
