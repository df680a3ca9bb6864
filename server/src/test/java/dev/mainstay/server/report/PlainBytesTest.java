package dev.mainstay.server.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

/** Looks at bytes one at a time, and compares. */
class PlainBytesTest {
  private static final byte[] SOME = {
    ' ', 'a', '~', 127, '"', '\\', '<', '&', ']', '\n', '\t', '\r', 0, 1, 31, -1, -128, -61, '=',
    ';', '!', '#', '[', '^'
  };

  private static int end(byte[] bytes, int from, int to, IntPredicate stops) {
    int i = from;
    while (i < to && !stops.test(bytes[i])) {
      i++;
    }
    return i;
  }

  private static int endOfText(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] == '\\') {
        i++;
      } else if (bytes[i] == '"') {
        return i;
      }
    }
    return to;
  }

  private static boolean isControl(int b) {
    return b >= 0 && b < ' ' && b != '\n' && b != '\t' && b != '\r';
  }

  private static int endOfPlainXml(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      boolean isPlainBracket =
          i > 0 && i + 1 < to && bytes[i - 1] != '<' && bytes[i + 1] != '<' && bytes[i + 1] != '!';
      if (isControl(bytes[i]) || bytes[i] == '&' || (bytes[i] == '<' && !isPlainBracket)) {
        return i;
      }
    }
    return to;
  }

  @Test
  void eight_bytes_at_a_time_are_seen_as_one_at_a_time_are() {
    var random = new Random(26);
    for (int round = 0; round < 50_000; round++) {
      byte[] bytes = new byte[random.nextInt(44)];
      int plain = 1 + random.nextInt(20);
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = random.nextInt(plain) == 0 ? SOME[random.nextInt(SOME.length)] : (byte) 'x';
      }
      int from = random.nextInt(bytes.length + 1);
      int to = from + random.nextInt(bytes.length - from + 1);
      assertThat(PlainBytes.endOfLine(bytes, from, to))
          .isEqualTo(end(bytes, from, to, b -> b == '\n'));
      assertThat(PlainBytes.endOfAscii(bytes, from, to))
          .isEqualTo(end(bytes, from, to, b -> b < ' '));
      assertThat(PlainBytes.endOfPlainText(bytes, from, to))
          .isEqualTo(end(bytes, from, to, b -> b < ' ' || b == '"' || b == '\\'));
      assertThat(PlainBytes.endOfText(bytes, from, to)).isEqualTo(endOfText(bytes, from, to));
      byte[] others = Arrays.copyOfRange(bytes, from, to);
      if (others.length > 0 && random.nextBoolean()) {
        others[random.nextInt(others.length)] = SOME[random.nextInt(SOME.length)];
      }
      assertThat(PlainBytes.areEqual(bytes, from, others, to - from))
          .isEqualTo(Arrays.equals(bytes, from, to, others, 0, others.length));
      assertThat(PlainBytes.endOfPlainXml(bytes, from, to))
          .isEqualTo(endOfPlainXml(bytes, from, to));
      assertThat(PlainBytes.endOfPlainCdata(bytes, from, to))
          .isEqualTo(end(bytes, from, to, b -> isControl(b) || b == ']'));
    }
  }
}
