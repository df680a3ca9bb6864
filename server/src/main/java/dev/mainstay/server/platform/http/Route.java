package dev.mainstay.server.platform.http;

import java.util.Optional;
import java.util.function.Function;

/**
 * One method of one path. Every path under {@code /v1} needs a key, and a route there names the
 * scope the key must have; other paths are open to everybody.
 */
public record Route(
    String method, String path, Optional<Scope> scope, Function<Request, Reply> handler) {

  public static Route get(String path, Function<Request, Reply> handler) {
    return new Route("GET", path, Optional.empty(), handler);
  }

  public static Route get(String path, Scope scope, Function<Request, Reply> handler) {
    return new Route("GET", path, Optional.of(scope), handler);
  }

  public static Route post(String path, Scope scope, Function<Request, Reply> handler) {
    return new Route("POST", path, Optional.of(scope), handler);
  }

  public static Route post(String path, Function<Request, Reply> handler) {
    return new Route("POST", path, Optional.empty(), handler);
  }

  public static Route put(String path, Function<Request, Reply> handler) {
    return new Route("PUT", path, Optional.empty(), handler);
  }
}
