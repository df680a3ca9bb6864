package dev.mainstay.server.platform.http;

import java.util.Optional;
import java.util.function.Function;

/**
 * One method of one path, which may hold parameters as {@link PathPattern} says. Where the surface
 * of the path knows its callers, a route names the scope that they must have.
 */
public record Route(
    String method,
    String path,
    Optional<Scope> scope,
    Function<Request, Reply> handler,
    boolean forErrands) {

  private Route(
      String method, String path, Optional<Scope> scope, Function<Request, Reply> handler) {
    this(method, path, scope, handler, false);
  }

  /** The same, open to callers on an errand too: its handler keeps them to it. */
  public Route alsoForErrands() {
    return new Route(method, path, scope, handler, true);
  }

  /** The same at another path. */
  public Route at(String otherPath) {
    return new Route(method, otherPath, scope, handler, forErrands);
  }

  /** The same with another handler. */
  public Route by(Function<Request, Reply> other) {
    return new Route(method, path, scope, other, forErrands);
  }

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
