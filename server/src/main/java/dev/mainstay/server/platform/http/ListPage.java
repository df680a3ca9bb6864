package dev.mainstay.server.platform.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A page of a list that a request asks for: at most {@code take} rows after the one that {@code
 * after} names by the parts of its key. A cursor is such a key as text that clients hand back; it
 * says nothing but a place in the order, whoever made it.
 */
public record ListPage(Optional<List<String>> after, int take) {
  private static final int MAX_CURSOR_LENGTH = 3000;
  private static final int MOST = 100;
  private static final int USUAL = 50;

  /** Reads {@code cursor} and {@code take}; keys have this many parts. */
  public static ListPage read(Fields in, int parts) {
    Optional<List<String>> after = place(in, "cursor", "nextCursor", parts, key -> key);
    return new ListPage(after, take(in));
  }

  /** The number of rows that are asked for. */
  public static int take(Fields in) {
    return in.optionalInteger("take", 1, MOST).orElse(USUAL);
  }

  /**
   * The place that a cursor stands for, read from the field where it is by the name that answers
   * give it. A reader throws where a part of the key is not what it has to be.
   */
  public static <T> Optional<T> place(
      Fields in, String field, String given, int parts, Function<List<String>, T> reader) {
    Optional<String> cursor = in.optionalText(field, MAX_CURSOR_LENGTH);
    Optional<T> place = cursor.flatMap(text -> key(text, parts)).flatMap(key -> read(key, reader));
    if (cursor.isPresent() && place.isEmpty()) {
      in.fault(field, "must be the %s of an earlier answer".formatted(given));
    }
    return place;
  }

  private static <T> Optional<T> read(List<String> key, Function<List<String>, T> reader) {
    try {
      return Optional.of(reader.apply(key));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  public static String cursor(String... key) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(String.join("\n", key).getBytes(StandardCharsets.UTF_8));
  }

  private static Optional<List<String>> key(String cursor, int parts) {
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(cursor);
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      List<String> key = List.of(text.split("\n", -1));
      return key.size() == parts && text.indexOf('\0') < 0 ? Optional.of(key) : Optional.empty();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return Optional.empty();
    }
  }
}
