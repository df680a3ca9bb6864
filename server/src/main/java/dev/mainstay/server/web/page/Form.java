package dev.mainstay.server.web.page;

import dev.mainstay.server.platform.http.ApiError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The fields of a form that was sent from a page of ours. */
public record Form(Map<String, String> fields) {
  private static final int MAX_DIGITS = 9;

  /** A field that was filled in. */
  public Optional<String> text(String field) {
    return Optional.ofNullable(fields.get(field)).map(String::strip).filter(t -> !t.isEmpty());
  }

  public String needed(String field) {
    return text(field)
        .orElseThrow(() -> ApiError.invalid(List.of(new ApiError.Fault(field, "is required"))));
  }

  public boolean isTicked(String field) {
    return fields.containsKey(field);
  }

  /** What was ticked of a list, by the rest of the names of fields that begin so. */
  public List<String> ticked(String start) {
    return fields.keySet().stream()
        .filter(field -> field.startsWith(start))
        .map(field -> field.substring(start.length()))
        .toList();
  }

  public Optional<Integer> number(String field) {
    return text(field)
        .map(
            text -> {
              if (!text.matches("-?[0-9]{1," + MAX_DIGITS + "}")) {
                throw ApiError.invalid(
                    List.of(new ApiError.Fault(field, "must be a whole number")));
              }
              return Integer.parseInt(text);
            });
  }

  /** The lines of a field, without empty ones. */
  public List<String> lines(String field) {
    return text(field).stream()
        .flatMap(String::lines)
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .toList();
  }

  /** The body of a call to the API: these fields beside those of {@code more}. */
  public static Map<String, Object> body(Map<String, ?> first, Map<String, ?> more) {
    var all = new LinkedHashMap<String, Object>(first);
    all.putAll(more);
    return all;
  }
}
