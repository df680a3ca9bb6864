package dev.mainstay.server.platform.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.Optional;

/** A request as it arrives: its path as it was sent, and its headers. */
public final class Arrival {
  private final String path;
  private final Headers headers;
  private final boolean fromProxy;

  Arrival(String path, Headers headers) {
    this(path, headers, false);
  }

  /** {@code fromProxy}: a proxy that is trusted has sent it. */
  Arrival(String path, Headers headers, boolean fromProxy) {
    this.path = path;
    this.headers = headers;
    this.fromProxy = fromProxy;
  }

  public String path() {
    return path;
  }

  public Optional<String> header(String name) {
    return header(HeaderNames.create(name));
  }

  Origin origin() {
    return Origin.of(headers, fromProxy);
  }

  Optional<String> header(HeaderName name) {
    return headers.contains(name) ? Optional.of(headers.get(name).get()) : Optional.empty();
  }
}
