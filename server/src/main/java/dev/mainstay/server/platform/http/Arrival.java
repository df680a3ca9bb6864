package dev.mainstay.server.platform.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Headers;
import java.util.Optional;

/** A request as it arrives: its path as it was sent, and its headers. */
public final class Arrival {
  private final String path;
  private final Headers headers;

  Arrival(String path, Headers headers) {
    this.path = path;
    this.headers = headers;
  }

  public String path() {
    return path;
  }

  public Optional<String> header(String name) {
    return header(HeaderNames.create(name));
  }

  Optional<String> header(HeaderName name) {
    return headers.contains(name) ? Optional.of(headers.get(name).get()) : Optional.empty();
  }
}
