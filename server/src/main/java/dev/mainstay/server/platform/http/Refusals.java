package dev.mainstay.server.platform.http;

import io.helidon.http.Header;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import org.jspecify.annotations.Nullable;

/** Refusals of requests that are none, or too long to be looked at. */
final class Refusals {
  private static final int MAX_REQUEST_LINE_LENGTH = 8 * 1024;
  private static final int MAX_HEADERS_LENGTH = 16 * 1024;

  /** The library's words for headers of which it reads no more; its status is that of garbage. */
  private static final String TOO_LARGE = "Header size exceeded";

  /** A status that the library has no name for. */
  private static final Status HEADERS_TOO_LARGE =
      Status.create(431, "Request Header Fields Too Large");

  private Refusals() {}

  static Status status(int code) {
    return code == HEADERS_TOO_LARGE.code() ? HEADERS_TOO_LARGE : Status.create(code);
  }

  /** The refusal of a request that the library refuses with this status and this message. */
  static ApiError of(int status, @Nullable String message) {
    return switch (TOO_LARGE.equals(message) ? 431 : status) {
      case 413 -> Body.tooLarge();
      case 414 -> lineTooLong();
      case 431 -> headersTooLarge();
      case 500 -> ApiError.internal();
      case 503 -> ApiError.busy();
      case 505 ->
          ApiError.of(
              505,
              "http_version_not_supported",
              "This server speaks HTTP/1.1 only; a proxy in front of it must be told so (nginx:"
                  + " proxy_http_version 1.1).");
      default -> malformed(status);
    };
  }

  static ApiError malformed() {
    return malformed(400);
  }

  private static ApiError malformed(int status) {
    return ApiError.of(status, "malformed_request", "This is not a well-formed HTTP request.");
  }

  static ApiError tooManyConnections() {
    return ApiError.later(
        "too_many_connections",
        "Your address has half of all connections already: close some, or use them again. A proxy"
            + " in front of many clients is to be named in MAINSTAY_TRUSTED_PROXIES.");
  }

  private static ApiError lineTooLong() {
    return ApiError.of(
        414, "uri_too_long", "The request line, with its path and query, must not exceed 8 KiB.");
  }

  private static ApiError headersTooLarge() {
    return ApiError.of(431, "headers_too_large", "The headers must not exceed 16 KiB together.");
  }

  /** Refuses a request line or headers that are longer than allowed. */
  static void checkLength(ServerRequest request) {
    if (request.path().rawPath().length() + request.query().rawValue().length()
        > MAX_REQUEST_LINE_LENGTH) {
      throw lineTooLong();
    }
    int length = 0;
    for (Header header : request.headers()) {
      for (String value : header.allValues()) {
        length += header.name().length() + value.length() + ": \r\n".length();
      }
    }
    if (length > MAX_HEADERS_LENGTH) {
      throw headersTooLarge();
    }
  }
}
