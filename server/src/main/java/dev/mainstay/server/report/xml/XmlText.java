package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/**
 * The characters of an XML file, made fit for a strict parser: what stands before the first bracket
 * is dropped; characters XML forbids are replaced. Every reference but the five that XML defines
 * and those to allowed characters becomes plain text, so no entity can be expanded, whatever the
 * file declares.
 */
final class XmlText extends Reader {
  private static final int LONGEST_MARK = 12;

  /** Room for a mark, and for the five characters that a bare ampersand becomes. */
  private static final int LONGEST_STEP = 32;

  private static final String AMPERSAND = "&amp;";
  private static final String BRACKET = "&lt;";
  private static final String CDATA_START = "<![CDATA[";

  private final InputStream in;
  private final XmlChars chars;
  private final char[] raw;

  private final char[] ready;
  private int readyLength;
  private int readyFrom;
  private boolean started;
  private boolean inCdata;
  private boolean inBracketedValue;
  private char lastDone = ' ';
  private long tokenLength;

  XmlText(InputStream in) throws IOException {
    this.in = in;
    chars = new XmlChars(in);
    raw = chars.chars;
    ready = new char[chars.size + LONGEST_STEP];
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    while (readyFrom == readyLength) {
      readyLength = 0;
      readyFrom = 0;
      if (chars.ended && chars.length == 0) {
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

  private void fill() throws IOException {
    chars.fill();
    int from = 0;
    if (!started) {
      while (from < chars.length && raw[from] != '<') {
        from++;
      }
      started = from < chars.length;
    }
    refuseEndlessToken();
    int done = mend(from);
    lastDone = done == 0 ? lastDone : raw[done - 1];
    chars.drop(done);
  }

  private void refuseEndlessToken() throws IOException {
    for (int i = 0; i < chars.length; i++) {
      char c = raw[i];
      if (c <= ' ' || c == '<' || c == '>' || c == '"' || c == '\'') {
        tokenLength = 0;
        return;
      }
    }
    tokenLength += chars.length;
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
    int safe = chars.ended ? chars.length : Math.max(from, chars.length - LONGEST_MARK);
    while (true) {
      i = chars.behindPlain(i, safe);
      if (i >= safe) {
        break;
      }
      char c = raw[i];
      if (XmlChars.isPlainBeyondAscii(c) || (c == '<' && isPlainBracket(i))) {
        i++;
        continue;
      }
      int next = special(c, i, copied);
      if (next < 0) {
        copied = -next;
        i = copied;
        safe = Math.min(safe, i + chars.size - readyLength);
      } else {
        i = next;
      }
    }
    move(copied, i);
    return i;
  }

  /** True for a bracket that begins a tag, with no other bracket beside it. */
  private boolean isPlainBracket(int i) {
    return i > 0
        && i + 1 < chars.length
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
        Character.isHighSurrogate(c)
            && i + 1 < chars.length
            && Character.isLowSurrogate(raw[i + 1]);
    if (pair) {
      return i + 2;
    }
    if (!Texts.isAllowed(c)) {
      raw[i] = XmlChars.REPLACEMENT;
    }
    return i + 1;
  }

  /** Of several brackets in a row none but the last can begin an element, and none in a value. */
  private int bracket(int i, int copied) {
    boolean another = i + 1 < chars.length && raw[i + 1] == '<';
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
    int limit = Math.min(chars.length, i + LONGEST_MARK);
    while (end < limit && raw[end] != ';') {
      end++;
    }
    int code = end < limit ? XmlReference.code(raw, i + 1, end) : XmlReference.NONE;
    if (XmlReference.isAllowed(code)) {
      return end + 1;
    }
    if (code != XmlReference.NONE) {
      move(copied, i);
      ready[readyLength++] = XmlChars.REPLACEMENT;
      return -(end + 1);
    }
    move(copied, i);
    AMPERSAND.getChars(0, AMPERSAND.length(), ready, readyLength);
    readyLength += AMPERSAND.length();
    return -(i + 1);
  }

  private boolean startsWith(String mark, int at) {
    if (at + mark.length() > chars.length) {
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
