package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A text that is kept as it is sent: packed. */
@SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
public record Packed(String type, byte[] gzip) {
  private static final int QUICK = 3;
  private static final int BUFFER = 8192;

  /** For what is packed once and sent for ever. */
  static Packed well(String type, byte[] bytes) {
    return packed(type, bytes, Deflater.DEFAULT_COMPRESSION);
  }

  /** For what is drawn anew at each change: a tenth larger, in a third of the time. */
  static Packed quickly(String type, byte[] bytes) {
    return packed(type, bytes, QUICK);
  }

  private static Packed packed(String type, byte[] bytes, int level) {
    var out = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (var packing = new Packing(out, level)) {
      packing.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Packed(type, out.toByteArray());
  }

  private static final class Packing extends GZIPOutputStream {
    Packing(OutputStream out, int level) throws IOException {
      super(out, BUFFER);
      def.setLevel(level);
    }
  }

  /** Packed where the client can unpack it. */
  Reply reply(Request request) {
    boolean unpacks = unpacks(request);
    Reply reply = Reply.bytes(type, unpacks ? gzip : unpacked());
    return reply.with(
        unpacks
            ? Map.of("Content-Encoding", "gzip", "Vary", "Accept-Encoding, Cookie")
            : Map.of("Vary", "Accept-Encoding, Cookie"));
  }

  /** As it is, for clients of whom nothing is known. */
  Reply plain() {
    return Reply.bytes(type, unpacked());
  }

  /** Whether the client can unpack. */
  static boolean unpacks(Request request) {
    return request.header("accept-encoding").orElse("").contains("gzip");
  }

  private byte[] unpacked() {
    try (var in = new GZIPInputStream(new ByteArrayInputStream(gzip))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
