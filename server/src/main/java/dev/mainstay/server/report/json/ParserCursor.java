package dev.mainstay.server.report.json;

import dev.mainstay.server.report.PlainBytes;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Texts;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** A place in a document that a parser reads. */
final class ParserCursor extends JsonCursor {
  /** Larger numbers are milliseconds. */
  private static final long MOST_SECONDS = 99_999_999_999L;

  private final JsonParser json;
  private final JsonBytes bytes;

  ParserCursor(JsonParser json, JsonBytes bytes) {
    this.json = json;
    this.bytes = bytes;
  }

  @Override
  @Nullable String firstField() {
    if (json.currentToken() != JsonToken.START_OBJECT) {
      json.skipChildren();
      return null;
    }
    return fieldBehind();
  }

  @Override
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

  @Override
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

  @Override
  String text() {
    JsonToken token = json.currentToken();
    if (token == JsonToken.VALUE_STRING) {
      int from = beginning();
      return from < 0 ? madeText() : text(from);
    }
    return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL
        ? json.getString()
        : "";
  }

  private String text(int from) {
    byte[] raw = bytes.array();
    int to = PlainBytes.endOfPlainText(raw, from, bytes.end());
    if (to == bytes.end() || raw[to] != '"') {
      return madeText();
    }
    return from == to ? "" : new String(raw, from, to - from, StandardCharsets.ISO_8859_1);
  }

  private String madeText() {
    return Texts.clean(json.getStringCharacters(), json.getStringOffset(), json.getStringLength());
  }

  /** The index of the first byte of the text here; -1 where it is not at hand. */
  private int beginning() {
    int quote = bytes.index(json.currentTokenLocation().getByteOffset());
    return quote >= 0 && bytes.array()[quote] == '"' ? quote + 1 : -1;
  }

  @Override
  String text(RecentText recent) {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      return text();
    }
    int from = beginning();
    int to = from < 0 ? 0 : PlainBytes.endOfText(bytes.array(), from, bytes.end());
    if (from < 0 || to == bytes.end()) {
      return recent.of(madeText());
    }
    @Nullable String known = recent.find(bytes.array(), from, to);
    if (known != null) {
      return known;
    }
    String text = recent.of(text(from));
    recent.keep(bytes.array(), from, to, text);
    return text;
  }

  @Override
  String word(List<String> words) {
    if (json.currentToken() != JsonToken.VALUE_STRING) {
      return "";
    }
    int from = beginning();
    int to = from < 0 ? 0 : PlainBytes.endOfPlainText(bytes.array(), from, bytes.end());
    if (from < 0 || to == bytes.end() || bytes.array()[to] != '"') {
      String text = madeText();
      return words.contains(text) ? text : "";
    }
    return RawWords.find(words, bytes.array(), from, to);
  }

  @Override
  void hold(HeldText held) {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      int from = beginning();
      int to = from < 0 ? 0 : PlainBytes.endOfText(bytes.array(), from, bytes.end());
      if (from < 0 || to == bytes.end()) {
        held.hold(madeText());
      } else {
        held.hold(bytes.array(), from, to);
      }
    }
  }

  @Override
  long moment(ReportTimes times) {
    boolean whole =
        json.currentToken() == JsonToken.VALUE_NUMBER_INT
            && json.getNumberType() == JsonParser.NumberType.LONG;
    return whole && json.getLongValue() > MOST_SECONDS
        ? ReportTimes.millis(json.getLongValue())
        : times.millis(text());
  }

  @Override
  int seconds() {
    JsonToken token = json.currentToken();
    return token != null && token.isNumeric()
        ? ReportTimes.durationMillis(json.getString())
        : ReportedRun.UNKNOWN_DURATION;
  }

  @Override
  double number() {
    JsonToken token = json.currentToken();
    return token != null && token.isNumeric() ? json.getDoubleValue() : -1;
  }

  @Override
  boolean isTrue() {
    return json.currentToken() == JsonToken.VALUE_TRUE;
  }

  @Override
  boolean isArray() {
    return json.currentToken() == JsonToken.START_ARRAY;
  }

  @Override
  boolean isObject() {
    return json.currentToken() == JsonToken.START_OBJECT;
  }
}
