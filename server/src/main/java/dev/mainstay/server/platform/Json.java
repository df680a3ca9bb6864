package dev.mainstay.server.platform;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonFactoryBuilder;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** JSON in and out. What comes in is strict: one object, no repeated key, nothing after it. */
public final class Json {
  private static final int MAX_DEPTH = 64;
  private static final int MAX_NUMBER_LENGTH = 100;

  /** A value takes far more memory than its few bytes in the body. */
  private static final long MAX_TOKENS = 4_000_000;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              factory()
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(MAX_DEPTH)
                          .maxNumberLength(MAX_NUMBER_LENGTH)
                          .maxTokenCount(MAX_TOKENS)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /** For what this program has written itself: nobody looks for repeated keys. */
  private static final JsonMapper OWN = JsonMapper.builder(factory().build()).build();

  private Json() {}

  /** What makes readers and writers of JSON, for whoever needs others than these. */
  public static JsonFactoryBuilder factory() {
    return JsonFactory.builder().recyclerPool(JsonBuffers.POOL);
  }

  /** A text that is no JSON object; the message says where, for whoever sent it. */
  public static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Malformed(String sentence) {
      super(sentence);
    }

    public String sentence() {
      return String.valueOf(getMessage());
    }
  }

  /** The object that a body holds. */
  public static ObjectNode readObject(byte[] body) {
    JsonNode node;
    try {
      node = MAPPER.readTree(body);
    } catch (StreamConstraintsException e) {
      throw new Malformed(
          "The body is nested deeper than %d levels, holds a number longer than %d digits, or more"
                  .formatted(MAX_DEPTH, MAX_NUMBER_LENGTH)
              + " than %,d values.".formatted(MAX_TOKENS));
    } catch (JacksonException e) {
      throw new Malformed("The body is not valid JSON%s.".formatted(place(e)));
    }
    if (node instanceof ObjectNode object) {
      return object;
    }
    throw new Malformed("The body must be a JSON object.");
  }

  /** Any value, such as others answer with. */
  public static JsonNode read(byte[] text) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      throw new Malformed("This is not valid JSON%s.".formatted(place(e)));
    }
  }

  /** A value of this type, of what this program wrote; other fields are left out. */
  public static <T> T readOwn(byte[] text, Class<T> type) {
    return OWN.readValue(text, type);
  }

  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  /** A value as the object it is written as. */
  public static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /** A value of this type, of what another would be written as; other fields are left out. */
  public static <T> T as(Object value, Class<T> type) {
    return OWN.convertValue(value, type);
  }

  public static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  private static String place(JacksonException e) {
    var at = e.getLocation();
    String where =
        at == null || at.getLineNr() < 1
            ? ""
            : " (line %d, column %d)".formatted(at.getLineNr(), at.getColumnNr());
    String message = e.getOriginalMessage();
    return message != null && message.startsWith("Duplicate")
        ? where + ": a key is repeated"
        : where;
  }
}
