package dev.mainstay.server.report.json;

import java.io.IOException;
import java.io.InputStream;
import tools.jackson.core.JsonParser;

/**
 * The bytes that a parser reads, as far as they are at hand. A parser passes over a text in half
 * the time that it takes to make one, so readers look at the bytes of a text before they ask for
 * it.
 */
final class JsonBytes extends InputStream {
  private final InputStream in;
  private byte[] bytes;
  private int from;
  private int to;

  /** How many bytes of the document come before index 0. */
  private long before;

  private JsonBytes(InputStream in, byte[] bytes, int from, int to) {
    this.in = in;
    this.bytes = bytes;
    this.from = from;
    this.to = to;
    this.before = -from;
  }

  /** A document that is here whole. */
  static JsonBytes of(byte[] bytes, int from, int length) {
    return new JsonBytes(InputStream.nullInputStream(), bytes, from, from + length);
  }

  /** A document that comes in pieces: the last piece that its parser took is at hand. */
  static JsonBytes of(InputStream in) {
    return new JsonBytes(in, new byte[0], 0, 0);
  }

  JsonParser parser() {
    return bytes.length == 0 ? JsonParsers.of(this) : JsonParsers.of(bytes, from, to - from);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  /** Reads into the buffer of the parser, which leaves it as it is until it asks for more. */
  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int n = in.read(target, offset, length);
    if (n > 0) {
      before += to - offset;
      from = offset;
      bytes = target;
      to = offset + n;
    }
    return n;
  }

  byte[] array() {
    return bytes;
  }

  /** The index behind the last byte that is at hand. */
  int end() {
    return to;
  }

  /** The index of the byte at an offset of the document; -1 where it is not at hand. */
  int index(long offset) {
    long index = offset - before;
    return offset >= 0 && index >= from && index < to ? (int) index : -1;
  }
}
