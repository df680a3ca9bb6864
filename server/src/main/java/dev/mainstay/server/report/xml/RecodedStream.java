package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Texts;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * The bytes in UTF-8 of a text in another encoding; bytes that do not fit it are read as Latin-1.
 */
final class RecodedStream extends InputStream {
  private static final char REPLACEMENT = '\uFFFD';
  private static final int FIRST_PRINTED = 0xa0;
  private static final int PIECE = 4 * 1024;

  private final InputStream in;
  private final CharsetDecoder decoder;
  private final ByteBuffer foreign = ByteBuffer.allocate(PIECE).limit(0);
  private final CharBuffer chars = CharBuffer.allocate(PIECE);
  private byte[] bytes = new byte[0];
  private int at;
  private boolean ended;

  RecodedStream(InputStream in, Charset charset) {
    this.in = in;
    this.decoder =
        charset
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
  }

  /** A byte as a character of Latin-1, of which some only control a terminal. */
  static char latin1(byte b) {
    int code = b & 0xff;
    return code >= FIRST_PRINTED ? (char) code : REPLACEMENT;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    while (at == bytes.length) {
      if (ended && !foreign.hasRemaining() && chars.position() == 0) {
        return -1;
      }
      recode();
    }
    int n = Math.min(length, bytes.length - at);
    System.arraycopy(bytes, at, target, offset, n);
    at += n;
    return n;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Recodes what comes next, which may be nothing yet. */
  private void recode() throws IOException {
    if (!ended) {
      foreign.compact();
      int n = in.read(foreign.array(), foreign.position(), foreign.remaining());
      ended = n < 0;
      foreign.position(foreign.position() + Math.max(n, 0)).flip();
    }
    decode();
    chars.flip();
    int whole = chars.limit();
    // The first half of a pair waits for the second.
    if (!ended && whole > 0 && Character.isHighSurrogate(chars.get(whole - 1))) {
      whole--;
    }
    bytes = Texts.clean(chars.subSequence(0, whole).toString()).getBytes(StandardCharsets.UTF_8);
    at = 0;
    chars.position(whole).compact();
  }

  private void decode() {
    CoderResult result = decoder.decode(foreign, chars, ended);
    while (result.isMalformed() && chars.remaining() >= result.length()) {
      for (int i = 0; i < result.length(); i++) {
        chars.put(latin1(foreign.get()));
      }
      result = decoder.decode(foreign, chars, ended);
    }
  }
}
