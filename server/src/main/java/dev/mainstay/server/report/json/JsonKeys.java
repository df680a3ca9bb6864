package dev.mainstay.server.report.json;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
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
  private static final int MOST = 500;

  private final Set<String> seen = new HashSet<>();
  private final byte[] start;
  private final int from;

  JsonKeys(byte[] start, int from) {
    this.start = start;
    this.from = from;
  }

  boolean has(String key) {
    return seen.contains(key);
  }

  boolean hasAll(String... keys) {
    for (String key : keys) {
      if (!has(key)) {
        return false;
      }
    }
    return true;
  }

  boolean hasAny(String... keys) {
    for (String key : keys) {
      if (has(key)) {
        return true;
      }
    }
    return false;
  }

  /** Collects keys until they tell something, or the first value or its known part ends. */
  <T> Optional<T> look(Function<JsonKeys, Optional<T>> recognise) {
    try (JsonParser json = JsonParsers.of(start, from, start.length - from)) {
      int depth = 0;
      String prefix = "";
      String outer = "";
      Optional<T> found = Optional.empty();
      JsonToken token = json.nextToken();
      while (token != null && found.isEmpty() && seen.size() < MOST) {
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
          outer = level == 1 ? prefix + name : outer;
          seen.add(level == 1 ? outer : outer + "." + name);
          found = recognise.apply(this);
        } else if (token == JsonToken.VALUE_STRING && level == 1) {
          String text = json.getString();
          if (text.length() <= SHORT_TEXT && seen.add(outer + "=" + text)) {
            found = recognise.apply(this);
          }
        }
        token = found.isEmpty() ? json.nextToken() : null;
      }
      return found;
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
