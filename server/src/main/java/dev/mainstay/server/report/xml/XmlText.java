package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.util.Optional;

/**
 * The characters of an XML file, made fit for a strict parser. The encoding is guessed from the
 * bytes; bytes that do not fit it are read as Latin-1; what stands before the first bracket is
 * dropped; characters XML forbids are replaced. Every reference but the five that XML defines and
 * those to allowed characters becomes plain text, so no entity can be expanded, whatever the file
 * declares.
 */
final class XmlText extends Reader {
  private static final int BUFFER = 4 * 1024;
  private static final int SMALLEST_BUFFER = 256;
  private static final int LONGEST_MARK = 12;

  /** Room for a mark, and for the five characters that a bare ampersand becomes. */
  private static final int LONGEST_STEP = 32;

  /** The characters of ASCII that are never mended. */
  private static final boolean[] PLAIN = plain();

  private static final char REPLACEMENT = '\uFFFD';
  private static final String AMPERSAND = "&amp;";
  private static final String BRACKET = "&lt;";
  private static final String CDATA_START = "<![CDATA[";

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final int size;
  private final byte[] input;
  private final ByteBuffer bytes;
  private final char[] raw;
  private final CharBuffer decoded;
  private int rawLength;

  private final char[] ready;
  private int readyLength;
  private int readyFrom;
  private boolean started;
  private boolean inCdata;
  private boolean inBracketedValue;
  private char lastDone = ' ';
  private boolean ended;
  private long tokenLength;
  private Optional<IOException> broken = Optional.empty();

  XmlText(InputStream in) throws IOException {
    this.in = in;
    int known = in.available();
    size = known == 0 ? BUFFER : Math.clamp(known + 1L, SMALLEST_BUFFER, BUFFER);
    input = new byte[size];
    bytes = ByteBuffer.wrap(input);
    raw = new char[size];
    decoded = CharBuffer.wrap(raw);
    ready = new char[size + LONGEST_STEP];
    bytes.limit(readInput(0));
    decoder =
        XmlCharset.of(input, bytes.limit())
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    while (readyFrom == readyLength) {
      readyLength = 0;
      readyFrom = 0;
      if (ended && rawLength == 0) {
        return -1;
      }
      fill();
    }
    int n = Math.min(length, readyLength - readyFrom);
    System.arraycopy(ready, readyFrom, target, offset, n);
    readyFrom += n;
    return n;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private static boolean[] plain() {
    var plain = new boolean[128];
    for (char c = 0; c < plain.length; c++) {
      plain[c] = Texts.isAllowed(c) && c != '<' && c != '&' && c != ']';
    }
    return plain;
  }

  private void fill() throws IOException {
    decode();
    int from = 0;
    if (!started) {
      while (from < rawLength && raw[from] != '<') {
        from++;
      }
      started = from < rawLength;
    }
    refuseEndlessToken();
    int done = mend(from);
    lastDone = done == 0 ? lastDone : raw[done - 1];
    System.arraycopy(raw, done, raw, 0, rawLength - done);
    rawLength -= done;
  }

  private void decode() throws IOException {
    decoded.limit(size).position(rawLength);
    while (decoded.hasRemaining() && !ended) {
      if (!bytes.hasRemaining()) {
        bytes.clear().limit(readInput(0));
      }
      boolean last = bytes.limit() < size && broken.isEmpty();
      CoderResult result = decoder.decode(bytes, decoded, last);
      if (result.isMalformed()) {
        for (int i = 0; i < result.length(); i++) {
          int b = bytes.get() & 0xff;
          if (decoded.hasRemaining()) {
            decoded.put(b >= 0xa0 ? (char) b : REPLACEMENT);
          }
        }
      } else if (result.isUnderflow()) {
        ended = last;
        refill(last);
      } else {
        break;
      }
    }
    rawLength = decoded.position();
  }

  /** Keeps the bytes of a character that is cut by the end of the buffer. */
  private void refill(boolean last) throws IOException {
    if (!last) {
      bytes.compact();
      int have = bytes.position();
      int n = readInput(have);
      bytes.position(0).limit(have + n);
    }
  }

  /** Fills the buffer from an offset on; a stream that breaks still gives what it gave before. */
  private int readInput(int offset) throws IOException {
    if (broken.isPresent()) {
      throw broken.get();
    }
    int at = offset;
    try {
      while (at < size) {
        int n = in.read(input, at, size - at);
        if (n < 0) {
          break;
        }
        at += n;
      }
    } catch (IOException e) {
      if (at == offset) {
        throw e;
      }
      broken = Optional.of(e);
    }
    return at - offset;
  }

  private void refuseEndlessToken() throws IOException {
    for (int i = 0; i < rawLength; i++) {
      char c = raw[i];
      if (c <= ' ' || c == '<' || c == '>' || c == '"' || c == '\'') {
        tokenLength = 0;
        return;
      }
    }
    tokenLength += rawLength;
    if (tokenLength > Limits.XML_TOKEN_LENGTH) {
      throw new IOException(
          "a word is longer than %d characters".formatted(Limits.XML_TOKEN_LENGTH));
    }
  }

  /**
   * Moves characters to {@code ready}, mended, as long as there is room; returns how many of {@code
   * raw} are done.
   */
  private int mend(int from) {
    int copied = from;
    int i = from;
    int safe = ended ? rawLength : Math.max(from, rawLength - LONGEST_MARK);
    while (true) {
      i = behindPlain(raw, i, safe);
      if (i >= safe) {
        break;
      }
      char c = raw[i];
      if ((c >= PLAIN.length && c < 0xd800) || (c == '<' && isPlainBracket(i))) {
        i++;
        continue;
      }
      int next = special(c, i, copied);
      if (next < 0) {
        copied = -next;
        i = copied;
        safe = Math.min(safe, i + size - readyLength);
      } else {
        i = next;
      }
    }
    move(copied, i);
    return i;
  }

  private static int behindPlain(char[] chars, int from, int to) {
    boolean[] plain = PLAIN;
    int i = from;
    while (i < to && chars[i] < plain.length && plain[chars[i]]) {
      i++;
    }
    return i;
  }

  /** True for a bracket that begins a tag, with no other bracket beside it. */
  private boolean isPlainBracket(int i) {
    return i > 0
        && i + 1 < rawLength
        && raw[i - 1] != '<'
        && raw[i + 1] != '<'
        && raw[i + 1] != '!';
  }

  private void move(int from, int to) {
    System.arraycopy(raw, from, ready, readyLength, to - from);
    readyLength += to - from;
  }

  /**
   * Deals with a character that may need mending: returns the next index, negative when everything
   * before it has been moved already.
   */
  private int special(char c, int i, int copied) {
    if (c == '<') {
      if (!inCdata && startsWith(CDATA_START, i)) {
        inCdata = true;
      }
      return inCdata ? i + 1 : bracket(i, copied);
    }
    if (c == ']') {
      if (inCdata && startsWith("]]>", i)) {
        inCdata = false;
      }
      return i + 1;
    }
    if (c == '&') {
      return inCdata ? i + 1 : reference(i, copied);
    }
    boolean pair =
        Character.isHighSurrogate(c) && i + 1 < rawLength && Character.isLowSurrogate(raw[i + 1]);
    if (pair) {
      return i + 2;
    }
    if (!Texts.isAllowed(c)) {
      raw[i] = REPLACEMENT;
    }
    return i + 1;
  }

  /** Of several brackets in a row none but the last can begin an element, and none in a value. */
  private int bracket(int i, int copied) {
    boolean another = i + 1 < rawLength && raw[i + 1] == '<';
    char before = i == 0 ? lastDone : raw[i - 1];
    inBracketedValue = before == '<' ? inBracketedValue : before == '"' || before == '\'';
    boolean isText = another || (before == '<' && inBracketedValue);
    if (!isText) {
      return i + 1;
    }
    move(copied, i);
    BRACKET.getChars(0, BRACKET.length(), ready, readyLength);
    readyLength += BRACKET.length();
    return -(i + 1);
  }

  private int reference(int i, int copied) {
    int end = i + 1;
    int limit = Math.min(rawLength, i + LONGEST_MARK);
    while (end < limit && raw[end] != ';') {
      end++;
    }
    int code = end < limit ? XmlReference.code(raw, i + 1, end) : XmlReference.NONE;
    if (XmlReference.isAllowed(code)) {
      return end + 1;
    }
    if (code != XmlReference.NONE) {
      move(copied, i);
      ready[readyLength++] = REPLACEMENT;
      return -(end + 1);
    }
    move(copied, i);
    AMPERSAND.getChars(0, AMPERSAND.length(), ready, readyLength);
    readyLength += AMPERSAND.length();
    return -(i + 1);
  }

  private boolean startsWith(String mark, int at) {
    if (at + mark.length() > rawLength) {
      return false;
    }
    for (int k = 0; k < mark.length(); k++) {
      if (raw[at + k] != mark.charAt(k)) {
        return false;
      }
    }
    return true;
  }
}
