package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import java.util.Map;
import java.util.Optional;

/**
 * A wire of its own below a base path: how callers prove who they are, which headers every answer
 * has, how errors are written and how the words of an answer are spelled, and whether a body of
 * which nobody says what it is is JSON. Several surfaces stand over the same use cases; a route
 * belongs to the one with the longest base path that covers it.
 */
public record Surface(
    String basePath,
    Authentication authentication,
    Map<String, String> headers,
    Errors errors,
    Words words,
    boolean assumesJson) {
  /** The headers of answers that are for programs, and that no page may show or keep. */
  public static final Map<String, String> FOR_PROGRAMS =
      Map.of(
          "X-Content-Type-Options",
          "nosniff",
          "Content-Security-Policy",
          "default-src 'none'; frame-ancestors 'none'",
          "Cache-Control",
          "no-store");

  public Surface {
    if (!basePath.isEmpty() && !basePath.matches("(/[A-Za-z0-9._-]+)+")) {
      throw new IllegalArgumentException("not the base path of a surface: " + basePath);
    }
    headers = Map.copyOf(headers);
  }

  /** A surface whose clients say that they send JSON. */
  public Surface(
      String basePath,
      Authentication authentication,
      Map<String, String> headers,
      Errors errors,
      Words words) {
    this(basePath, authentication, headers, errors, words, false);
  }

  /** The caller of a request, from its headers alone. */
  public interface Authentication {
    /** Throws an {@link ApiError} where the surface demands a proof and the request has none. */
    Optional<Caller> caller(Arrival arrival);
  }

  /** The form of errors. */
  public interface Errors {
    Reply reply(ApiError error, Arrival arrival, String requestId);
  }

  /** The spelling of JSON. */
  public interface Words {
    byte[] write(Object value);
  }

  /** All paths that no other surface covers, for programs and open to everybody. */
  public static Surface open() {
    return open("");
  }

  /** Paths for programs that are open to everybody, errors as problem documents. */
  public static Surface open(String basePath) {
    return new Surface(
        basePath, arrival -> Optional.empty(), FOR_PROGRAMS, Problem::reply, Json::write);
  }

  boolean covers(String path) {
    return path.startsWith(basePath)
        && (basePath.isEmpty()
            || path.length() == basePath.length()
            || path.charAt(basePath.length()) == '/');
  }
}
