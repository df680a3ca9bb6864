package dev.mainstay.server.platform.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

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
    Optional<String> cursor = in.optionalText("cursor", MAX_CURSOR_LENGTH);
    Optional<List<String>> after = cursor.flatMap(text -> key(text, parts));
    if (cursor.isPresent() && after.isEmpty()) {
      in.fault("cursor", "must be the nextCursor of an earlier answer");
    }
    return new ListPage(after, in.optionalInteger("take", 1, MOST).orElse(USUAL));
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
