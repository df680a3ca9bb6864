package dev.mainstay.server.report.json;

import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What the beginning of a JSON value tells of its kind: its keys, those one below as {@code
 * outer.inner}, and short texts as {@code key=text}. In an array those of its objects, after {@code
 * []}.
 */
final class JsonKeys {
  private static final int SHORT_TEXT = 40;

  private JsonKeys() {}

  /** Shows keys until they tell a kind, or the first value or its known part ends. */
  static <T> Optional<T> look(byte[] start, int from, JsonKinds<T>.Seen seen) {
    try (JsonParser json = JsonParsers.of(start, from, start.length - from)) {
      int depth = 0;
      String prefix = "";
      String outer = "";
      boolean hasMore = false;
      Optional<T> found = Optional.empty();
      JsonToken token = json.nextToken();
      while (token != null && found.isEmpty()) {
        if (token.isStructStart()) {
          prefix = depth == 0 && token == JsonToken.START_ARRAY ? "[]" : prefix;
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        }
        int level = prefix.isEmpty() ? depth : depth - 1;
        if (depth == 0) {
          return found;
        }
        if (token == JsonToken.PROPERTY_NAME && level <= 2) {
          String name = json.currentName();
          if (level == 1) {
            outer = prefix.isEmpty() ? name : prefix + name;
            found = seen.add(outer);
            hasMore = seen.hasMore();
          } else if (hasMore) {
            found = seen.add(outer + "." + name);
          }
        } else if (token == JsonToken.VALUE_STRING
            && level == 1
            && hasMore
            && json.getStringLength() <= SHORT_TEXT) {
          found = seen.add(outer + "=" + json.getString());
        }
        token = found.isEmpty() ? json.nextToken() : null;
      }
      return found;
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
