package dev.mainstay.server.platform.http;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.http.ApiError.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads the fields of a request and remembers every fault. A read that fails returns a placeholder;
 * {@link #check} must be called before any value is used, and throws when there was a fault.
 */
public final class Fields {
  /** The placeholder of a time. */
  public static final Instant NO_TIME = Instant.MIN;

  private static final int MAX_FAULTY_ITEMS = 100;
  private static final Pattern UUID_FORM =
      Pattern.compile("[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}");

  private final ObjectNode node;
  private final String prefix;
  private final List<Fault> faults;

  public Fields(ObjectNode node) {
    this(node, "", new ArrayList<>());
  }

  private Fields(ObjectNode node, String prefix, List<Fault> faults) {
    this.node = node;
    this.prefix = prefix;
    this.faults = faults;
  }

  /** Throws a 400 with all faults found so far, if there are any. */
  public void check() {
    if (!faults.isEmpty()) {
      throw ApiError.invalid(faults);
    }
  }

  public void fault(String field, String message) {
    faults.add(new Fault(prefix + field, message));
  }

  /** The fields of a required object. */
  public Fields object(String field) {
    if (node.get(field) instanceof ObjectNode object) {
      return new Fields(object, prefix + field + ".", faults);
    }
    fault(field, isAbsent(field) ? "is required" : "must be an object");
    // The fields of a missing object are not reported one by one.
    return new Fields(Json.object(), prefix + field + ".", new ArrayList<>());
  }

  /** The objects of an optional list; what is no object in it is passed over. */
  public List<Fields> objects(String field, int maxSize) {
    JsonNode list = node.get(field);
    if (list == null || list.isNull()) {
      return List.of();
    }
    if (!list.isArray() || list.size() > maxSize) {
      fault(field, "must be a list of at most " + maxSize + " entries");
      return List.of();
    }
    var objects = new ArrayList<Fields>();
    for (int i = 0; i < list.size(); i++) {
      if (list.get(i) instanceof ObjectNode object) {
        objects.add(new Fields(object, "%s%s[%d].".formatted(prefix, field, i), faults));
      }
    }
    return objects;
  }

  /** A text as it is, whatever it holds; empty where there is none. */
  public Optional<String> anyText(String field) {
    return Optional.ofNullable(node.get(field))
        .filter(JsonNode::isString)
        .map(JsonNode::stringValue);
  }

  public String text(String field, int maxLength) {
    return optionalText(field, maxLength).orElseGet(() -> missing(field, ""));
  }

  public Optional<String> optionalText(String field, int maxLength) {
    return read(field, value -> textOf(value, maxLength));
  }

  /** A text that may be empty and may hold anything. */
  public Optional<String> optionalLooseText(String field, int maxLength) {
    return read(
        field,
        value -> {
          if (!value.isString() || lengthOf(value.stringValue()) > maxLength) {
            throw new Unreadable("must be a string of at most %d characters".formatted(maxLength));
          }
          return value.stringValue();
        });
  }

  public int integer(String field, int min, int max) {
    return read(field, value -> integerOf(value, min, max)).orElseGet(() -> missing(field, min));
  }

  public Optional<Integer> optionalInteger(String field, int min, int max) {
    return read(field, value -> integerOf(value, min, max));
  }

  public Optional<Double> optionalNumber(String field) {
    return read(
        field,
        value -> {
          if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw new Unreadable("must be a number");
          }
          return value.doubleValue();
        });
  }

  /** A whole number, or a text that holds one: some clients send numbers so. */
  public int number(String field, int min, int max) {
    return read(field, value -> integerOf(numeral(value), min, max))
        .orElseGet(() -> missing(field, min));
  }

  /** The same where it can be read so; empty, and no fault, where it cannot. */
  public Optional<Integer> anyNumber(String field, int min, int max) {
    return Optional.ofNullable(node.get(field))
        .map(Fields::numeral)
        .filter(Fields::isWhole)
        .map(value -> (int) value.doubleValue())
        .filter(number -> number >= min && number <= max);
  }

  public Optional<Boolean> optionalFlag(String field) {
    return read(
        field,
        value -> {
          if (!value.isBoolean()) {
            throw new Unreadable("must be true or false");
          }
          return value.booleanValue();
        });
  }

  public Optional<UUID> optionalUuid(String field) {
    return read(field, Fields::uuidOf);
  }

  /** One of these words, in whatever case it is sent. */
  public <T> Optional<T> optionalChoice(String field, List<T> choices, Function<T, String> word) {
    return read(
        field,
        value -> {
          String text = value.isString() ? value.stringValue() : "";
          return choices.stream()
              .filter(choice -> word.apply(choice).equalsIgnoreCase(text))
              .findFirst()
              .orElseThrow(() -> new Unreadable("must be " + either(choices, word)));
        });
  }

  /** The distinct texts of a list that may be very long; the faulty ones are named one by one. */
  public Optional<Set<String>> optionalTexts(String field, int maxSize, int maxLength) {
    JsonNode list = node.get(field);
    if (list == null || list.isNull()) {
      return Optional.empty();
    }
    if (!list.isArray() || list.size() > maxSize) {
      fault(field, "must be a list of at most %,d texts".formatted(maxSize));
      return Optional.empty();
    }
    var texts = new LinkedHashSet<String>();
    int index = 0;
    int faulty = 0;
    for (JsonNode item : list) {
      try {
        texts.add(textOf(item, maxLength));
      } catch (Unreadable e) {
        if (faulty++ < MAX_FAULTY_ITEMS) {
          fault("%s[%d]".formatted(field, index), e.expectation);
        }
      }
      index++;
    }
    if (faulty > MAX_FAULTY_ITEMS) {
      fault(field, "has %,d more faulty entries".formatted(faulty - MAX_FAULTY_ITEMS));
    }
    return Optional.of(texts);
  }

  /** Whether it is a text, and this one, in whatever case. */
  public boolean says(String field, String word) {
    return anyText(field).filter(word::equalsIgnoreCase).isPresent();
  }

  /** The names of all fields that were sent, also of those that nobody reads. */
  public Set<String> names() {
    return new LinkedHashSet<>(node.propertyNames());
  }

  public boolean has(String field) {
    return !isAbsent(field);
  }

  public UUID uuid(String field) {
    return read(field, Fields::uuidOf).orElseGet(() -> missing(field, new UUID(0, 0)));
  }

  public Instant time(String field) {
    return optionalTime(field).orElseGet(() -> missing(field, NO_TIME));
  }

  public Optional<Instant> optionalTime(String field) {
    return read(field, Fields::timeOf);
  }

  public Optional<Duration> optionalSeconds(String field, Duration max) {
    return optionalInteger(field, 0, Math.toIntExact(max.toSeconds())).map(Duration::ofSeconds);
  }

  /** The distinct values of a list of texts, in order. */
  public <T> Optional<List<T>> optionalList(
      String field, int maxSize, Function<String, Optional<T>> reader, String expected) {
    return read(
        field,
        value -> {
          if (!value.isArray() || value.size() > maxSize) {
            throw new Unreadable("must be a list of at most " + maxSize + " entries");
          }
          var items = new ArrayList<T>();
          for (JsonNode item : value) {
            T read =
                Optional.of(item)
                    .filter(JsonNode::isString)
                    .flatMap(i -> reader.apply(i.stringValue()))
                    .orElseThrow(() -> new Unreadable("must hold only " + expected));
            if (!items.contains(read)) {
              items.add(read);
            }
          }
          return items;
        });
  }

  private boolean isAbsent(String field) {
    JsonNode value = node.get(field);
    return value == null || value.isNull();
  }

  private <T> T missing(String field, T placeholder) {
    if (isAbsent(field)) {
      fault(field, "is required");
    }
    return placeholder;
  }

  private <T> Optional<T> read(String field, Function<JsonNode, T> reader) {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return Optional.empty();
    }
    try {
      return Optional.of(reader.apply(value));
    } catch (Unreadable e) {
      fault(field, e.expectation);
      return Optional.empty();
    }
  }

  private static String textOf(JsonNode value, int maxLength) {
    if (!value.isString()) {
      throw new Unreadable("must be a string");
    }
    String text = value.stringValue();
    if (text.chars().allMatch(c -> c == ' ') || lengthOf(text) > maxLength) {
      throw new Unreadable("must have 1 to %d characters".formatted(maxLength));
    }
    // PostgreSQL stores neither NUL nor half a surrogate pair; other controls hide in logs.
    if (text.codePoints().anyMatch(c -> Character.isISOControl(c) || isSurrogate(c))) {
      throw new Unreadable("must not hold control characters or broken Unicode");
    }
    return text;
  }

  /** The length as JSON Schema counts it. */
  private static int lengthOf(String text) {
    return text.codePointCount(0, text.length());
  }

  private static boolean isSurrogate(int codePoint) {
    return Character.getType(codePoint) == Character.SURROGATE;
  }

  private static Integer integerOf(JsonNode value, int min, int max) {
    if (!isWhole(value)) {
      throw new Unreadable("must be a whole number from %d to %d".formatted(min, max));
    }
    int number = (int) value.doubleValue();
    if (number < min || number > max) {
      throw new Unreadable("must be a whole number from %d to %d".formatted(min, max));
    }
    return number;
  }

  /** Whether it is an integer as JSON Schema has them: 652.0 is one. */
  private static boolean isWhole(JsonNode value) {
    if (value.isIntegralNumber()) {
      return value.canConvertToInt();
    }
    double number = value.isNumber() ? value.doubleValue() : Double.NaN;
    return number == Math.rint(number) && Math.abs(number) <= Integer.MAX_VALUE;
  }

  private static JsonNode numeral(JsonNode value) {
    String text = value.isString() ? value.stringValue() : "";
    return text.matches("0|[1-9]\\d{0,8}") ? IntNode.valueOf(Integer.parseInt(text)) : value;
  }

  private static <T> String either(List<T> choices, Function<T, String> word) {
    var words = choices.stream().map(word).toList();
    return words.size() == 1
        ? words.getFirst()
        : String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.getLast();
  }

  private static UUID uuidOf(JsonNode value) {
    return uuidIn(value.isString() ? value.stringValue() : "")
        .orElseThrow(() -> new Unreadable("must be a UUID"));
  }

  /** The UUID that a text is; UUID.fromString also takes other lengths, such as 1-2-3-4-5. */
  public static Optional<UUID> uuidIn(String text) {
    return UUID_FORM.matcher(text).matches()
        ? Optional.of(UUID.fromString(text))
        : Optional.empty();
  }

  private static Instant timeOf(JsonNode value) {
    return Rfc3339.read(value.isString() ? value.stringValue() : "")
        .orElseThrow(
            () ->
                new Unreadable(
                    "must be an RFC 3339 time with an offset, such as 2026-01-31T12:00:00Z"));
  }

  private static final class Unreadable extends RuntimeException {
    private final String expectation;

    Unreadable(String expectation) {
      super(expectation, null, false, false);
      this.expectation = expectation;
    }
  }
}
