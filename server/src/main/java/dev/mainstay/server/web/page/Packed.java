package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.Reply;
import dev.mainstay.server.platform.http.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** A text that is kept as it is sent: packed. */
@SuppressWarnings("ArrayRecordComponent") // Sent, never compared.
public record Packed(String type, byte[] gzip) {

  static Packed of(String type, byte[] bytes) {
    var out = new ByteArrayOutputStream(bytes.length / 4 + 64);
    try (var packing = new GZIPOutputStream(out)) {
      packing.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Packed(type, out.toByteArray());
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
