package dev.mainstay.server.platform.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The path of a route. {@code {name}} stands for one segment; {@code {name...}}, at most once, for
 * one or more. Patterns with more written out come first.
 */
record PathPattern(List<String> parts) implements Comparable<PathPattern> {
  private static final String MANY = "...}";

  static PathPattern of(String path) {
    var pattern = new PathPattern(segments(path));
    if (!path.startsWith("/") || pattern.parts.stream().filter(PathPattern::isMany).count() > 1) {
      throw new IllegalArgumentException("not the path of a route: " + path);
    }
    return pattern;
  }

  boolean isLiteral() {
    return parts.stream().noneMatch(PathPattern::isParameter);
  }

  /** True where both match the same paths, whatever their parameters are called. */
  boolean hasShapeOf(PathPattern other) {
    return shape().equals(other.shape());
  }

  private List<String> shape() {
    return parts.stream().map(p -> !isParameter(p) ? p : isMany(p) ? "{...}" : "{}").toList();
  }

  @Override
  public int compareTo(PathPattern other) {
    return Long.compare(other.literals(), literals());
  }

  private long literals() {
    return parts.stream().filter(p -> !isParameter(p)).count();
  }

  /** The values of the parameters, decoded; empty where the path is another one. */
  Optional<Map<String, String>> match(String path) {
    if (!path.startsWith("/")) {
      return Optional.empty();
    }
    List<String> segments = segments(path);
    int many = manyAt();
    int spare = segments.size() - parts.size();
    if (many < 0 ? spare != 0 : spare < 0) {
      return Optional.empty();
    }
    var values = new LinkedHashMap<String, String>();
    for (int i = 0, at = 0; i < parts.size(); i++) {
      int length = i == many ? spare + 1 : 1;
      String text = String.join("/", segments.subList(at, at + length));
      if (!fits(parts.get(i), text, values)) {
        return Optional.empty();
      }
      at += length;
    }
    return Optional.of(values);
  }

  private static boolean fits(String part, String text, Map<String, String> values) {
    if (!isParameter(part)) {
      return part.equals(text);
    }
    values.put(name(part), decoded(text));
    return !text.isEmpty();
  }

  private int manyAt() {
    for (int i = 0; i < parts.size(); i++) {
      if (isMany(parts.get(i))) {
        return i;
      }
    }
    return -1;
  }

  private static List<String> segments(String path) {
    return Arrays.asList(path.substring(1).split("/", -1));
  }

  private static boolean isParameter(String part) {
    return part.startsWith("{") && part.endsWith("}");
  }

  private static boolean isMany(String part) {
    return isParameter(part) && part.endsWith(MANY);
  }

  private static String name(String part) {
    return part.substring(1, part.length() - (isMany(part) ? MANY.length() : 1));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw ApiError.of(400, "invalid_path", "The path holds a broken percent sign.");
    }
  }
}
