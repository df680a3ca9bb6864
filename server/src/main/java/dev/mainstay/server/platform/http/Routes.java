package dev.mainstay.server.platform.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** All routes. A path that is written out goes before one with parameters. */
final class Routes {
  private final Map<String, Map<String, Route>> exact = new HashMap<>();
  private final List<Shape> shapes = new ArrayList<>();

  private record Shape(String path, PathPattern pattern, Map<String, Route> methods) {}

  /** A route, and the values of its path's parameters. */
  record Found(Route route, Map<String, String> parameters) {}

  Routes(List<Route> routes) {
    for (Route route : routes) {
      if (methodsFor(route.path()).put(route.method(), route) != null) {
        throw new IllegalStateException("two routes for " + route.method() + " " + route.path());
      }
    }
    shapes.sort(Comparator.comparing(Shape::pattern));
  }

  private Map<String, Route> methodsFor(String path) {
    var pattern = PathPattern.of(path);
    if (pattern.isLiteral()) {
      return exact.computeIfAbsent(path, p -> new TreeMap<>());
    }
    for (Shape shape : shapes) {
      if (shape.pattern().hasShapeOf(pattern)) {
        return shape.methods();
      }
    }
    var shape = new Shape(path, pattern, new TreeMap<>());
    shapes.add(shape);
    return shape.methods();
  }

  /** The route of a path and method, or a 404 or 405; HEAD is served by GET. */
  Found find(String method, String path) {
    return find(method, path, pattern -> true);
  }

  /** The same among the routes whose own path, with its parameters in it, is one of these. */
  Found find(String method, String path, Predicate<String> among) {
    var methods = exact.get(path);
    return methods != null ? choose(methods, method, Map.of()) : findByShape(method, path, among);
  }

  private Found findByShape(String method, String path, Predicate<String> among) {
    for (Shape shape : shapes) {
      Optional<Map<String, String>> parameters =
          among.test(shape.path()) ? shape.pattern().match(path) : Optional.empty();
      if (parameters.isPresent()) {
        return choose(shape.methods(), method, parameters.get());
      }
    }
    throw ApiError.notFound("unknown_path", "There is nothing at this path; see /openapi.json.");
  }

  private static Found choose(
      Map<String, Route> methods, String method, Map<String, String> parameters) {
    Route route = methods.get(method.equals("HEAD") ? "GET" : method);
    if (route == null) {
      throw ApiError.methodNotAllowed(method, String.join(", ", methods.keySet()));
    }
    return new Found(route, parameters);
  }
}
