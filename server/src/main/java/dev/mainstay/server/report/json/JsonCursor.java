package dev.mainstay.server.report.json;

import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Texts;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A place in a JSON document that is read once. The value at it may be of any kind: what a reader
 * does not ask for, or asks for as something else, is passed over.
 */
final class JsonCursor {
  /** Larger numbers are milliseconds. */
  private static final long MOST_SECONDS = 99_999_999_999L;

  private final JsonParser json;

  JsonCursor(JsonParser json) {
    this.json = json;
  }

  /** Visits the fields of the object here, each with the cursor at its value. */
  void object(Consumer<String> field) {
    for (String name = firstField(); name != null; name = nextField()) {
      field.accept(name);
    }
  }

  /**
   * Goes to the value of the first field of the object here, and then with {@link #nextField} to
   * those of the others: the same for what is read most, without a call for each field.
   */
  @Nullable String firstField() {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return null;
    }
    return fieldBehind();
  }

  /** The name of the next field, with the cursor at its value; null behind the last one. */
  @Nullable String nextField() {
    json.skipChildren();
    return fieldBehind();
  }

  private @Nullable String fieldBehind() {
    @Nullable String name = json.nextName();
    if (name != null) {
      json.nextToken();
    }
    return name;
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
      return Texts.clean(
          json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
    }
    return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL
        ? json.getString()
        : "";
  }

  /** The same, of a value that is often the same. */
  String text(RecentText recent) {
    return json.currentToken() == JsonToken.VALUE_STRING
        ? recent.of(json.getStringCharacters(), json.getStringOffset(), json.getStringLength())
        : text();
  }

  /** Keeps the characters of the text here for whoever may ask for them later. */
  void hold(HeldText held) {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      held.hold(json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
    }
  }

  /** Adds the text here, which is not asked for otherwise, to others. */
  void appendTo(StringBuilder text) {
    if (json.currentToken() == JsonToken.VALUE_STRING
        && Texts.isClean(
            json.getStringCharacters(), json.getStringOffset(), json.getStringLength())) {
      text.append(json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
    } else {
      text.append(text());
    }
  }

  /** The moment that is the value here. */
  long moment(ReportTimes times) {
    boolean whole =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() == JsonParser.NumberType.LONG;
    return whole && json.getLongValue() > MOST_SECONDS
        ? ReportTimes.millis(json.getLongValue())
        : times.millis(text());
  }

  /** The duration here, which is a number of seconds. */
  int seconds() {
    JsonToken token = json.currentToken();
    return token != null && token.isNumeric()
        ? ReportTimes.durationMillis(json.getString())
        : ReportedRun.UNKNOWN_DURATION;
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
