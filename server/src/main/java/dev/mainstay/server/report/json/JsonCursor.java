package dev.mainstay.server.report.json;

import dev.mainstay.server.report.Texts;
import java.util.function.Consumer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A place in a JSON document that is read once. The value at it may be of any kind: what a reader
 * does not ask for, or asks for as something else, is passed over.
 */
final class JsonCursor {
  private final JsonParser json;

  JsonCursor(JsonParser json) {
    this.json = json;
  }

  /** Visits the fields of the object here, each with the cursor at its value. */
  void object(Consumer<String> field) {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      field.accept(name);
      json.skipChildren();
    }
  }

  /** Visits the elements of the array here. */
  void array(Runnable element) {
    if (json.currentToken() != JsonToken.START_ARRAY) {
      json.skipChildren();
      return;
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      element.run();
      json.skipChildren();
    }
  }

  /** The text of the value here, also of a number; empty for null and for what has parts. */
  String text() {
    JsonToken token = json.currentToken();
    if (token == JsonToken.VALUE_STRING) {
      return Texts.clean(Texts.uncoloured(json.getString()));
    }
    return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL
        ? json.getString()
        : "";
  }

  /** The number here; -1 where there is none. */
  double number() {
    JsonToken token = json.currentToken();
    return token != null && token.isNumeric() ? json.getDoubleValue() : -1;
  }

  boolean isTrue() {
    return json.currentToken() == JsonToken.VALUE_TRUE;
  }

  boolean isArray() {
    return json.currentToken() == JsonToken.START_ARRAY;
  }

  boolean isObject() {
    return json.currentToken() == JsonToken.START_OBJECT;
  }
}
