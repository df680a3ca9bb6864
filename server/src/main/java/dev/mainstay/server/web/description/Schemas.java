package dev.mainstay.server.web.description;

import dev.mainstay.server.web.description.Property.Range;
import dev.mainstay.server.web.description.Property.Type;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Reads JSON schemas of the description as lists of properties. */
final class Schemas {
  private static final String REF = "$ref";
  private static final String COMPONENT = "#/components/schemas/";

  private final JsonNode document;

  Schemas(JsonNode document) {
    this.document = document;
  }

  JsonNode resolved(JsonNode node) {
    String ref = node.path(REF).asString("");
    return ref.isEmpty() ? node : document.at(ref.substring(1));
  }

  /** The name of the schema that this one only refers to. */
  static Optional<String> name(JsonNode schema) {
    String ref = schema.path(REF).asString("");
    return ref.startsWith(COMPONENT)
        ? Optional.of(ref.substring(COMPONENT.length()))
        : Optional.empty();
  }

  /** All properties of an object, and those of what is described inside of it. */
  List<Property> properties(JsonNode schema) {
    var found = new LinkedHashMap<String, Property>();
    collect(resolved(schema), "", found);
    return List.copyOf(found.values());
  }

  private void collect(JsonNode schema, String prefix, Map<String, Property> found) {
    schema.path("allOf").forEach(part -> collect(resolved(part), prefix, found));
    List<String> required = texts(schema.path("required"));
    schema
        .path("properties")
        .forEachEntry(
            (name, property) -> {
              String whole = prefix + name;
              found.putIfAbsent(whole, property(whole, property, required.contains(name)));
              collectInside(property, whole, found);
            });
  }

  /** What is described by a schema of its own is not described again. */
  private void collectInside(JsonNode property, String name, Map<String, Property> found) {
    if (property.has("items")) {
      collectInside(property.path("items"), name + "[]", found);
    } else if (!property.has(REF)) {
      for (JsonNode part : property.path("allOf")) {
        collectInside(part, name, found);
      }
      if (property.has("properties")) {
        collect(property, name + ".", found);
      }
    }
  }

  Property property(String name, JsonNode property, boolean required) {
    JsonNode resolved = resolved(property);
    return new Property(
        name,
        type(property),
        required,
        range(resolved),
        Optional.ofNullable(resolved.get("default")).map(JsonNode::asString),
        property.path("description").asString(resolved.path("description").asString("")));
  }

  Type type(JsonNode schema) {
    Optional<String> name = name(schema);
    if (name.isPresent()) {
      Type inside = type(resolved(schema));
      String word = inside.word().equals("object") ? name.get() : inside.word();
      return new Type(word, name, inside.choices());
    }
    if (schema.has("allOf")) {
      return type(schema.path("allOf").path(0));
    }
    if (schema.has("items")) {
      Type each = type(schema.path("items"));
      return new Type("list of " + each.word(), each.schema(), each.choices());
    }
    List<String> choices = choices(schema);
    if (!choices.isEmpty()) {
      return new Type(extra(schema), Optional.empty(), choices);
    }
    List<JsonNode> either = either(schema);
    if (!either.isEmpty()) {
      String words =
          either.stream().map(e -> type(e).word()).distinct().collect(Collectors.joining(" or "));
      return new Type(words, Optional.empty(), List.of());
    }
    return new Type(word(schema), Optional.empty(), List.of());
  }

  /** The words that a property may be, where it is one of a few. */
  private static List<String> choices(JsonNode schema) {
    if (schema.has("enum")) {
      return texts(schema.path("enum"));
    }
    return either(schema).stream()
        .filter(one -> one.has("enum"))
        .findFirst()
        .map(one -> texts(one.path("enum")))
        .orElse(List.of());
  }

  /** What may stand in place of one of the choices: other spellings of them are no news. */
  private String extra(JsonNode schema) {
    String others =
        either(schema).stream()
            .filter(one -> !one.has("enum") && !one.has("pattern"))
            .map(one -> " or " + word(one))
            .collect(Collectors.joining());
    return "one of" + others;
  }

  private static List<JsonNode> either(JsonNode schema) {
    JsonNode either = schema.has("anyOf") ? schema.path("anyOf") : schema.path("oneOf");
    boolean bare = !schema.has("properties") && !schema.has("type");
    return bare
        ? StreamSupport.stream(either.spliterator(), false)
            .filter(one -> !one.path("type").asString("").equals("null"))
            .toList()
        : List.of();
  }

  private static String word(JsonNode schema) {
    if (schema.has("const")) {
      return schema.path("const").toString();
    }
    JsonNode types = schema.path("type");
    String type =
        (types.isArray() ? texts(types) : List.of(types.asString("anything")))
            .stream().filter(t -> !t.equals("null")).findFirst().orElse("anything");
    return switch (type) {
      case "integer" -> "whole number";
      case "boolean" -> "true or false";
      case "string" -> text(schema.path("format").asString(""));
      default -> type;
    };
  }

  private static String text(String format) {
    return switch (format) {
      case "date-time" -> "time";
      case "uuid" -> "UUID";
      case "binary" -> "file";
      case "date" -> "day";
      default -> "text";
    };
  }

  private static Range range(JsonNode schema) {
    JsonNode bounded =
        either(schema).stream().filter(one -> one.has("minimum")).findFirst().orElse(schema);
    return new Range(
        Optional.ofNullable(bounded.get("minimum")).map(JsonNode::decimalValue),
        Optional.ofNullable(bounded.get("maximum")).map(JsonNode::decimalValue),
        Optional.ofNullable(schema.get("maxLength")).map(JsonNode::asInt),
        Optional.ofNullable(schema.get("maxItems")).map(JsonNode::asInt));
  }

  private static List<String> texts(JsonNode list) {
    var texts = new ArrayList<String>();
    list.forEach(
        one -> {
          if (!one.isNull()) {
            texts.add(one.asString());
          }
        });
    return texts;
  }
}
