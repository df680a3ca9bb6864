package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An answer, ready to send. */
@SuppressWarnings("ArrayRecordComponent") // Sent once, never compared.
public record Reply(int status, String contentType, byte[] body, Map<String, String> headers) {
  static final String JSON = "application/json";
  static final String TEXT = "text/plain; charset=utf-8";
  private static final Reply NOTHING = json(Map.of());

  public static Reply json(Object value) {
    return new Reply(200, JSON, Json.write(value), Map.of());
  }

  /** 200 and {@code {}}: success with nothing to say. */
  public static Reply nothing() {
    return NOTHING;
  }

  public static Reply text(int status, String text) {
    return new Reply(status, TEXT, text.getBytes(StandardCharsets.UTF_8), Map.of());
  }
}
