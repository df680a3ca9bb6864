package dev.mainstay.server.platform.http;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All routes, found by their exact path. */
final class Routes {
  private final Map<String, Map<String, Route>> byPath = new HashMap<>();

  Routes(List<Route> routes) {
    for (Route route : routes) {
      var methods = byPath.computeIfAbsent(route.path(), path -> new TreeMap<>());
      if (methods.put(route.method(), route) != null) {
        throw new IllegalStateException("two routes for " + route.method() + " " + route.path());
      }
    }
  }

  /** The route of a path and method, or a 404 or 405; HEAD is served by GET. */
  Route find(String method, String path) {
    var methods = byPath.get(path);
    if (methods == null) {
      throw ApiError.notFound("unknown_path", "There is nothing at this path; see /openapi.json.");
    }
    Route route = methods.get(method.equals("HEAD") ? "GET" : method);
    if (route == null) {
      throw ApiError.methodNotAllowed(method, String.join(", ", methods.keySet()));
    }
    return route;
  }
}
