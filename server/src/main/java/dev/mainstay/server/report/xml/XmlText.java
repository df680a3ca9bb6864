package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The characters of an XML file, made fit for a strict parser. The encoding is guessed from the
 * bytes; bytes that do not fit it are read as Latin-1; what stands before the first bracket is
 * dropped; characters XML forbids are replaced. Every reference but the five that XML defines and
 * those to allowed characters becomes plain text, so no entity can be expanded, whatever the file
 * declares.
 */
final class XmlText extends Reader {
  private static final int BUFFER = 16 * 1024;
  private static final int LONGEST_MARK = 12;
  private static final char REPLACEMENT = '\uFFFD';
  private static final String AMPERSAND = "&amp;";
  private static final String BRACKET = "&lt;";
  private static final String CDATA_START = "<![CDATA[";
  private static final Pattern DECLARED =
      Pattern.compile("^\\s*<\\?xml[^>]*?encoding\\s*=\\s*[\"']([A-Za-z0-9._:-]{1,40})[\"']");
  private static final Pattern REFERENCE =
      Pattern.compile("&(?:amp|lt|gt|quot|apos|#(\\d{1,7})|#x([0-9a-fA-F]{1,6}));");

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final byte[] input = new byte[BUFFER];
  private final ByteBuffer bytes = ByteBuffer.wrap(input);
  private final char[] raw = new char[BUFFER];
  private final CharBuffer decoded = CharBuffer.wrap(raw);
  private int rawLength;

  /** A bare ampersand becomes five characters. */
  private final char[] ready = new char[BUFFER * 5];

  private int readyLength;
  private int readyFrom;
  private boolean started;
  private boolean inCdata;
  private boolean inBracketedValue;
  private boolean ended;
  private long tokenLength;
  private Optional<IOException> broken = Optional.empty();

  XmlText(InputStream in) throws IOException {
    this.in = in;
    bytes.limit(readInput(0));
    decoder =
        charset(input, bytes.limit())
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  @Override
  public int read(char[] target, int offset, int length) throws IOException {
    while (readyFrom == readyLength) {
      readyLength = 0;
      readyFrom = 0;
      if (ended) {
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
    System.arraycopy(raw, done, raw, 0, rawLength - done);
    rawLength -= done;
  }

  private void decode() throws IOException {
    decoded.limit(BUFFER).position(rawLength);
    while (decoded.hasRemaining() && !ended) {
      if (!bytes.hasRemaining()) {
        bytes.clear().limit(readInput(0));
      }
      boolean last = bytes.limit() < BUFFER && broken.isEmpty();
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
      while (at < BUFFER) {
        int n = in.read(input, at, BUFFER - at);
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

  /** Moves characters to {@code ready}, mended; returns how many of {@code raw} are done. */
  private int mend(int from) {
    int copied = from;
    int i = from;
    int safe = ended ? rawLength : Math.max(from, rawLength - LONGEST_MARK);
    while (i < safe) {
      char c = raw[i];
      if ((c > '<' && c < 0xd800 && c != ']') || (c >= ' ' && c < '<' && c != '&')) {
        i++;
        continue;
      }
      int next = special(c, i, copied);
      if (next < 0) {
        copied = -next;
        i = copied;
      } else {
        i = next;
      }
    }
    move(copied, i);
    return i;
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
    char before = i == 0 ? ' ' : raw[i - 1];
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
    if (end < limit) {
      Matcher matcher = REFERENCE.matcher(CharBuffer.wrap(raw, i, end + 1 - i));
      if (matcher.matches() && isAllowedReference(matcher)) {
        return end + 1;
      }
      if (matcher.matches()) {
        move(copied, i);
        ready[readyLength++] = REPLACEMENT;
        return -(end + 1);
      }
    }
    move(copied, i);
    AMPERSAND.getChars(0, AMPERSAND.length(), ready, readyLength);
    readyLength += AMPERSAND.length();
    return -(i + 1);
  }

  private static boolean isAllowedReference(Matcher matcher) {
    if (matcher.group(1) == null && matcher.group(2) == null) {
      return true;
    }
    int code =
        matcher.group(1) == null
            ? Integer.parseInt(matcher.group(2), 16)
            : Integer.parseInt(matcher.group(1));
    return code < 0x10000 ? Texts.isAllowed((char) code) : code <= 0x10ffff;
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

  private static Charset charset(byte[] b, int n) {
    if (n >= 2) {
      int first = ((b[0] & 0xff) << 8) | (b[1] & 0xff);
      switch (first) {
        case 0xfeff, 0xfffe -> {
          return StandardCharsets.UTF_16;
        }
        case 0x003c -> {
          return StandardCharsets.UTF_16BE;
        }
        case 0x3c00 -> {
          return StandardCharsets.UTF_16LE;
        }
        default -> {}
      }
    }
    return declared(new String(b, 0, Math.min(n, 200), StandardCharsets.ISO_8859_1));
  }

  private static Charset declared(String start) {
    Matcher matcher = DECLARED.matcher(start.replaceFirst("^\u00ef\u00bb\u00bf", ""));
    if (!matcher.find()) {
      return StandardCharsets.UTF_8;
    }
    try {
      Charset named = Charset.forName(matcher.group(1));
      boolean fitsWhatWasReadSoFar =
          "<?xml".equals(new String("<?xml".getBytes(named), StandardCharsets.ISO_8859_1));
      return fitsWhatWasReadSoFar ? named : StandardCharsets.UTF_8;
    } catch (IllegalCharsetNameException
        | UnsupportedCharsetException
        | UnsupportedOperationException e) {
      return StandardCharsets.UTF_8;
    }
  }
}
