package dev.mainstay.server.platform.http;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * One method of one path, which may hold parameters as {@link PathPattern} says. Where the surface
 * of the path knows its callers, a route names the scopes of which they must have one.
 */
public record Route(
    String method,
    String path,
    List<Scope> scopes,
    Function<Request, Reply> handler,
    boolean forErrands,
    Optional<Function<Request, Reply>> withoutKey) {

  public Route {
    scopes = List.copyOf(scopes);
  }

  private Route(String method, String path, List<Scope> scopes, Function<Request, Reply> handler) {
    this(method, path, scopes, handler, false, Optional.empty());
  }

  /** The same, open to callers on an errand too: its handler keeps them to it. */
  public Route alsoForErrands() {
    return new Route(method, path, scopes, handler, true, withoutKey);
  }

  /** The same, where callers whom the surface lets in without a key are answered by another. */
  public Route withoutKey(Function<Request, Reply> other) {
    return new Route(method, path, scopes, handler, forErrands, Optional.of(other));
  }

  /** The same at another path. */
  public Route at(String otherPath) {
    return new Route(method, otherPath, scopes, handler, forErrands, withoutKey);
  }

  /** The same with another handler. */
  public Route by(Function<Request, Reply> other) {
    return new Route(method, path, scopes, other, forErrands, withoutKey);
  }

  public static Route get(String path, Function<Request, Reply> handler) {
    return new Route("GET", path, List.of(), handler);
  }

  public static Route get(String path, Scope scope, Function<Request, Reply> handler) {
    return new Route("GET", path, List.of(scope), handler);
  }

  public static Route post(String path, Scope scope, Function<Request, Reply> handler) {
    return new Route("POST", path, List.of(scope), handler);
  }

  /** Any of the scopes is enough; the first is the one to ask for. */
  public static Route post(String path, List<Scope> scopes, Function<Request, Reply> handler) {
    return new Route("POST", path, scopes, handler);
  }

  public static Route post(String path, Function<Request, Reply> handler) {
    return new Route("POST", path, List.of(), handler);
  }

  boolean admits(Caller caller) {
    return scopes.isEmpty() || scopes.stream().anyMatch(caller::may);
  }

  public static Route put(String path, Function<Request, Reply> handler) {
    return new Route("PUT", path, List.of(), handler);
  }
}
