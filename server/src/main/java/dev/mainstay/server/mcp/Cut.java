package dev.mainstay.server.mcp;

import dev.mainstay.server.platform.Json;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * An answer that fits a size: while it does not, its largest part loses half, a list its later
 * entries and a text its end. What was left out is said in it, under {@code cut}.
 */
final class Cut {
  private static final int ROOM_FOR_LOSSES = 1000;
  private static final int MOST_LOSSES = 5;
  private static final int SHORT_TEXT = 100;

  private final ObjectNode content;
  private final Map<String, Integer> wholeLists = new LinkedHashMap<>();
  private final Map<String, String> losses = new LinkedHashMap<>();

  private Cut(ObjectNode content) {
    this.content = content;
  }

  static Cut of(ObjectNode whole, int most) {
    if (size(whole) <= most) {
      return new Cut(whole);
    }
    var cut = new Cut(whole.deepCopy());
    boolean smaller = true;
    while (smaller && size(cut.content) > most - ROOM_FOR_LOSSES) {
      smaller = cut.halve(cut.content, "");
    }
    ArrayNode said = cut.content.putArray("cut");
    cut.losses().forEach(said::add);
    return cut;
  }

  ObjectNode content() {
    return content;
  }

  /** Sentences without their full stop; none where the answer is whole. */
  List<String> losses() {
    return losses.values().stream().limit(MOST_LOSSES).toList();
  }

  /** Halves the largest part of a node; false where there is nothing to halve. */
  private boolean halve(JsonNode node, String name) {
    return switch (node) {
      case ObjectNode object -> halveField(object, name);
      case ArrayNode array -> halveList(array, name);
      default -> false;
    };
  }

  private boolean halveField(ObjectNode object, String name) {
    var sizes = new LinkedHashMap<String, Integer>();
    object.forEachEntry((field, value) -> sizes.put(field, size(value)));
    return sizes.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .anyMatch(field -> halveField(object, field.getKey(), name));
  }

  private boolean halveField(ObjectNode object, String field, String name) {
    String path = name.isEmpty() ? field : name + "." + field;
    JsonNode value = object.path(field);
    if (!value.isString()) {
      return halve(value, path);
    }
    String text = value.stringValue();
    if (text.length() <= SHORT_TEXT) {
      return false;
    }
    losses.put(path, "%s is not whole".formatted(path));
    object.put(field, Texts.cut(text, text.length() / 2));
    return true;
  }

  private boolean halveList(ArrayNode array, String name) {
    if (array.isEmpty()) {
      return false;
    }
    if (array.size() == 1 && halve(array.get(0), name)) {
      return true;
    }
    int whole = wholeLists.computeIfAbsent(name, n -> array.size());
    int left = array.size() / 2;
    while (array.size() > left) {
      array.remove(array.size() - 1);
    }
    losses.put(name, "%s has %d of %d entries".formatted(name, left, whole));
    return true;
  }

  private static int size(JsonNode node) {
    return Json.write(node).length;
  }
}
