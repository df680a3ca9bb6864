package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.page.Address;
import dev.mainstay.server.web.page.Visit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a list is narrowed to, as its address says. */
public record Filters(Map<String, String> values) {
  private static final List<String> NAMES =
      List.of("search", "status", "owner", "quarantined", "file", "ticket", "order");

  static Filters of(Visit visit) {
    var values = new LinkedHashMap<String, String>();
    NAMES.forEach(name -> visit.query(name).ifPresent(value -> values.put(name, value.strip())));
    return new Filters(values);
  }

  public String value(String name) {
    return values.getOrDefault(name, "");
  }

  public boolean has(String name, String value) {
    return value(name).equals(value);
  }

  /** Whether anything but the order is chosen. */
  public boolean isAny() {
    return values.keySet().stream().anyMatch(name -> !name.equals("order"));
  }

  /** The same with another value; an empty one takes it away. */
  public Filters with(String name, String value) {
    var changed = new LinkedHashMap<>(values);
    changed.put(name, value);
    changed.values().removeIf(String::isEmpty);
    return new Filters(changed);
  }

  /** The address of a page that is narrowed so. */
  public String at(String page) {
    return values.isEmpty()
        ? page
        : page
            + "?"
            + values.entrySet().stream()
                .map(e -> e.getKey() + "=" + Address.encoded(e.getValue()))
                .collect(Collectors.joining("&"));
  }

  /** As the API is asked. */
  Map<String, Object> asked() {
    var asked = new LinkedHashMap<String, Object>(values);
    asked.computeIfPresent("quarantined", (name, value) -> flag(value));
    asked.putIfAbsent("order", TestsPage.USUAL_ORDER);
    return asked;
  }

  private static Object flag(Object value) {
    return switch (value.toString()) {
      case "true" -> true;
      case "false" -> false;
      default -> value;
    };
  }
}
