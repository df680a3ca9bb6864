package dev.mainstay.server.forge.github;

import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A way to ask the fake: a method and a path whose capitals stand for anything, the permission that
 * an App needs for it, and who answers. Without a permission it is open to everybody who is known.
 */
record FakeRoute(String kind, Optional<String> permission, Handler handler) {
  interface Handler {
    Reply on(Call call);
  }

  /** A request: what stood for the capitals, the query, the body, and who asks. */
  record Call(
      List<String> parts, Map<String, String> query, ObjectNode body, FakeTokens.Caller caller) {
    int number() {
      return Integer.parseInt(parts.getFirst());
    }

    Optional<String> text(String field) {
      JsonNode value = body.get(field);
      return value == null || value.isNull() ? Optional.empty() : Optional.of(value.asString());
    }

    int query(String name, int otherwise) {
      return Integer.parseInt(query.getOrDefault(name, "" + otherwise));
    }
  }

  /** An answer. A list is answered in pages. */
  record Reply(int status, Object json) {
    static Reply ok(Object json) {
      return new Reply(200, json);
    }

    static Reply not(int status, String message) {
      ObjectNode json = Json.object().put("message", message);
      json.put("documentation_url", "https://docs.github.com/rest");
      json.put("status", "" + status);
      return new Reply(status, json);
    }

    static Reply notFound() {
      return not(404, "Not Found");
    }
  }

  static FakeRoute open(String kind, Handler handler) {
    return new FakeRoute(kind, Optional.empty(), handler);
  }

  static FakeRoute needs(String permission, String kind, Handler handler) {
    return new FakeRoute(kind, Optional.of(permission), handler);
  }

  /** The parts of a path that stand for the capitals, if it is of this route. */
  Optional<List<String>> match(String method, String path) {
    String[] words = kind.split(" ", 2);
    if (!words[0].equals(method)) {
      return Optional.empty();
    }
    String pattern = words[1].replaceAll("BRANCH\\b", "(.+)").replaceAll("\\b[A-Z]+\\b", "([^/]+)");
    Matcher matcher = Pattern.compile(pattern).matcher(path);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    var parts = new ArrayList<String>();
    for (int i = 1; i <= matcher.groupCount(); i++) {
      parts.add(matcher.group(i));
    }
    return Optional.of(parts);
  }
}
