package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.PlainBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The characters of an XML file, made fit for a strict parser: what stands before the first bracket
 * is dropped; characters XML forbids are replaced, and bytes that are no UTF-8 are read as Latin-1.
 * Every reference but the five that XML defines and those to allowed characters becomes plain text,
 * so no entity can be expanded, whatever the file declares.
 *
 * <p>All is looked at as bytes, and what is fit becomes characters right where the parser wants
 * them.
 */
final class XmlText extends Reader {
  private static final char REPLACEMENT = '\uFFFD';
  private static final char FIRST_FORBIDDEN = '\uFFFE';
  private static final int LONGEST_MARK = 12;
  private static final String CDATA_START = "<![CDATA[";
  private static final String CDATA_END = "]]>";

  private final XmlBytes in;
  private final CharsetDecoder decoder =
      StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT);

  /** The bytes of {@code in}, and the index of the first that nobody has got yet. */
  private final byte[] bytes;

  private final ByteBuffer view;
  private int at;

  /** Up to here nothing needs mending. */
  private int fit;

  /** What comes before the next byte. */
  private String instead = "";

  private boolean started;
  private boolean inCdata;
  private boolean inBracketedValue;
  private long tokenLength;

  XmlText(InputStream stream) throws IOException {
    in = new XmlBytes(stream);
    bytes = in.bytes;
    view = ByteBuffer.wrap(bytes);
    arrived();
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    var out = CharBuffer.wrap(target, offset, length);
    while (out.hasRemaining()) {
      if (!instead.isEmpty()) {
        int n = Math.min(instead.length(), out.remaining());
        out.put(instead, 0, n);
        instead = instead.substring(n);
      } else if (at < fit) {
        if (!decode(out, offset)) {
          break;
        }
      } else if (!look()) {
        if (out.position() > offset) {
          break;
        }
        if (!more()) {
          return -1;
        }
      }
    }
    return out.position() - offset;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Gets more bytes; false where there are none. */
  private boolean more() throws IOException {
    if (!in.fill(at)) {
      return false;
    }
    arrived();
    return true;
  }

  private void arrived() throws IOException {
    at = XmlBytes.FIRST;
    while (!started && at < in.end) {
      started = bytes[at] == '<';
      at += started ? 0 : 1;
    }
    fit = at;
    refuseEndlessToken();
  }

  private void refuseEndlessToken() throws IOException {
    int characters = 0;
    for (int i = at; i < in.end; i++) {
      byte b = bytes[i];
      if ((b >= 0 && b <= ' ') || b == '<' || b == '>' || b == '"' || b == '\'') {
        tokenLength = 0;
        return;
      }
      characters += XmlBytes.isInside(b) ? 0 : 1;
    }
    tokenLength += characters;
    if (tokenLength > Limits.XML_TOKEN_LENGTH) {
      throw new IOException(
          "a word is longer than %d characters".formatted(Limits.XML_TOKEN_LENGTH));
    }
  }

  /** Makes characters of what is fit; false where there is no room for the next one. */
  private boolean decode(CharBuffer out, int offset) {
    int from = out.position();
    view.limit(fit).position(at);
    CoderResult result = decoder.decode(view, out, true);
    boolean isAscii = view.position() - at == out.position() - from;
    at = view.position();
    if (!isAscii) {
      replaceForbidden(out.array(), from, out.position());
    }
    if (result.isMalformed()) {
      instead = latin1(at, result.length());
      at += result.length();
    } else if (result.isOverflow() && out.position() == offset) {
      var pair = CharBuffer.allocate(2);
      decode(pair, 0);
      instead = pair.flip() + instead;
    } else {
      return !result.isOverflow();
    }
    return true;
  }

  private static void replaceForbidden(char[] chars, int from, int to) {
    for (int i = from; i < to; i++) {
      if (chars[i] >= FIRST_FORBIDDEN) {
        chars[i] = REPLACEMENT;
      }
    }
  }

  private String latin1(int from, int length) {
    var text = new StringBuilder(length);
    for (int i = from; i < from + length; i++) {
      text.append(RecodedStream.latin1(bytes[i]));
    }
    return text.toString();
  }

  /** Finds out how far bytes are fit, or mends at the first; false where more bytes are needed. */
  private boolean look() {
    int safe = in.safe(LONGEST_MARK);
    if (at >= safe) {
      return false;
    }
    int i = at;
    while (true) {
      i =
          inCdata
              ? PlainBytes.endOfPlainCdata(bytes, i, safe)
              : PlainBytes.endOfPlainXml(bytes, i, safe);
      if (i >= safe) {
        break;
      }
      int behind = inCdata ? behindCdata(i) : behindMark(i);
      if (behind == i) {
        break;
      }
      i = behind;
    }
    if (i == at) {
      mend();
    } else {
      fit = i;
    }
    return true;
  }

  /** The index behind what begins here, which is here where it needs mending. */
  private int behindMark(int i) {
    return switch (bytes[i]) {
      case '<' -> behindBracket(i);
      case '&' -> {
        int end = endOfReference(i);
        yield XmlReference.isAllowed(code(i, end)) ? end + 1 : i;
      }
      default -> i;
    };
  }

  private int behindCdata(int i) {
    if (bytes[i] != ']') {
      return i;
    }
    inCdata = !startsWith(CDATA_END, i);
    return i + 1;
  }

  /** Of several brackets in a row none but the last can begin an element, and none in a value. */
  private int behindBracket(int i) {
    inCdata = startsWith(CDATA_START, i);
    if (inCdata) {
      return i + 1;
    }
    boolean another = i + 1 < in.end && bytes[i + 1] == '<';
    byte before = bytes[i - 1];
    inBracketedValue = before == '<' ? inBracketedValue : before == '"' || before == '\'';
    boolean isText = another || (before == '<' && inBracketedValue);
    return isText ? i : i + 1;
  }

  /** Puts something else in the place of what begins here. */
  private void mend() {
    int behind = at + 1;
    if (bytes[at] == '<') {
      instead = "&lt;";
    } else if (bytes[at] == '&') {
      int end = endOfReference(at);
      boolean isKnown = code(at, end) != XmlReference.NONE;
      instead = isKnown ? String.valueOf(REPLACEMENT) : "&amp;";
      behind = isKnown ? end + 1 : behind;
    } else {
      instead = String.valueOf(REPLACEMENT);
    }
    at = behind;
    fit = behind;
  }

  /** The index of the semicolon of a reference, or one too far away. */
  private int endOfReference(int i) {
    int limit = Math.min(in.end, i + LONGEST_MARK);
    int end = i + 1;
    while (end < limit && bytes[end] != ';') {
      end++;
    }
    return end < limit ? end : in.end;
  }

  private int code(int i, int end) {
    return end < in.end ? XmlReference.code(bytes, i + 1, end) : XmlReference.NONE;
  }

  private boolean startsWith(String mark, int i) {
    if (i + mark.length() > in.end) {
      return false;
    }
    for (int k = 0; k < mark.length(); k++) {
      if (bytes[i + k] != mark.charAt(k)) {
        return false;
      }
    }
    return true;
  }
}
