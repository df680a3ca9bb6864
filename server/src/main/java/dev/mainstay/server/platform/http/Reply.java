package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** An answer as a value; the door writes it in the words of the surface it goes out by. */
public record Reply(int status, Content content, Map<String, String> headers) {
  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  private static final Reply NOTHING = bytes(JSON, "{}".getBytes(StandardCharsets.UTF_8));

  /** The body of an answer. */
  public sealed interface Content {
    String type();
  }

  /** A value that becomes JSON. */
  record Value(String type, Object value) implements Content {}

  /** Bytes as they are. */
  @SuppressWarnings("ArrayRecordComponent") // Sent once, never compared.
  record Bytes(String type, byte[] bytes) implements Content {}

  /** A body that is sent while it is made. One that fails half way closes the connection. */
  record Stream(String type, Source source) implements Content {}

  /** The maker of a streamed body; what it has flushed, the client has. */
  public interface Source {
    void writeTo(OutputStream out) throws IOException;
  }

  public static Reply json(Object value) {
    return new Reply(200, new Value(JSON, value), Map.of());
  }

  /** JSON that is written now, for an answer that is kept and given often. */
  public static Reply writtenJson(Object value) {
    return bytes(JSON, Json.write(value));
  }

  /** 200 and {@code {}}: success with nothing to say. */
  public static Reply nothing() {
    return NOTHING;
  }

  public static Reply text(int status, String text) {
    return new Reply(status, new Bytes(TEXT, text.getBytes(StandardCharsets.UTF_8)), Map.of());
  }

  /** 303: what was asked for is to be seen there. */
  public static Reply see(String address) {
    return new Reply(303, new Bytes(TEXT, new byte[0]), Map.of("Location", address));
  }

  /** The same answer with another status. */
  public Reply with(int other) {
    return new Reply(other, content, headers);
  }

  /** The same answer with more headers. */
  public Reply with(Map<String, String> more) {
    var all = new HashMap<>(headers);
    all.putAll(more);
    return new Reply(status, content, Map.copyOf(all));
  }

  /** The bytes of its body, as far as they are there already. */
  public int size() {
    return content instanceof Bytes b ? b.bytes().length : 0;
  }

  public static Reply bytes(String type, byte[] bytes) {
    return new Reply(200, new Bytes(type, bytes), Map.of());
  }

  public static Reply stream(String type, Source source) {
    return new Reply(200, new Stream(type, source), Map.of());
  }
}
