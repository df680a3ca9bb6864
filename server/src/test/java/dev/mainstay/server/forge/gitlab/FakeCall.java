package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A request to the fake: the parts of its path that vary, the query and the body. */
record FakeCall(List<String> parts, Map<String, String> query, ObjectNode body) {
  /** One of a list that is counted in its page, but not shown. */
  static final String HIDDEN = "hidden";

  /** A way to ask: a method and a path below the project whose capitals stand for anything. */
  record Route(String kind, Handler handler) {
    Optional<List<String>> match(String method, String path) {
      String[] words = kind.split(" ", 2);
      Matcher matcher =
          Pattern.compile(words[1].replaceAll("\\b[A-Z]+\\b", "([^/]+)")).matcher(path);
      if (!words[0].equals(method) || !matcher.matches()) {
        return Optional.empty();
      }
      return Optional.of(
          java.util.stream.IntStream.rangeClosed(1, matcher.groupCount())
              .mapToObj(matcher::group)
              .toList());
    }
  }

  interface Handler {
    Reply on(FakeCall call);
  }

  /** An answer. A list is answered in pages. */
  record Reply(int status, Object json) {
    static Reply ok(Object json) {
      return new Reply(200, json);
    }

    static Reply not(int status, String message) {
      return new Reply(status, Json.object().put("message", message));
    }

    static Reply notFound() {
      return not(404, "404 Not found");
    }
  }

  int number() {
    return Integer.parseInt(parts.getFirst());
  }

  Optional<String> text(String field) {
    JsonNode value = body.get(field);
    return value == null || value.isNull() ? Optional.empty() : Optional.of(value.asString());
  }

  Optional<String> query(String name) {
    return Optional.ofNullable(query.get(name));
  }
}
