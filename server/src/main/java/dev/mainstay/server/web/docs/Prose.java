package dev.mainstay.server.web.docs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text of the description in paragraphs of pieces: words, code, and paths that lead to where they
 * are described. Code stands between backticks, or is told by its form: {@code requiredStatuses},
 * {@code queue_exists}, {@code NOT_READY}.
 */
public record Prose(List<List<Piece>> paragraphs) {
  private static final Pattern CODE =
      Pattern.compile(
          "`(?<ticked>[^`]+)`"
              + "|(?<path>/(?:v1|hooks|bundles|metrics|openapi\\.json)[A-Za-z0-9/_-]*)"
              + "|(?<![\\w/.-])(?<word>[a-z]+[a-z0-9]*[A-Z][A-Za-z0-9]*|[a-z0-9]+(?:_[a-z0-9]+)+"
              + "|[A-Z]+(?:_[A-Z]+)+|mainstay/[a-z]+|x-[a-z]+-[a-z]+)(?![\\w/])");

  /** Some text; {@code href} is where it leads. */
  public record Piece(String text, boolean code, Optional<String> href) {}

  /** {@code known} are the addresses of what is at a path. */
  static Prose of(String text, Map<String, String> known) {
    return new Prose(
        Arrays.stream(text.split("\n\\s*\n"))
            .filter(paragraph -> !paragraph.isBlank())
            .map(paragraph -> pieces(paragraph.strip(), known))
            .toList());
  }

  private static List<Piece> pieces(String text, Map<String, String> known) {
    var pieces = new ArrayList<Piece>();
    Matcher code = CODE.matcher(text);
    int from = 0;
    while (code.find()) {
      words(pieces, text.substring(from, code.start()));
      String found = code.group("ticked") == null ? code.group() : code.group("ticked");
      pieces.add(new Piece(found, true, Optional.ofNullable(known.get(found))));
      from = code.end();
    }
    words(pieces, text.substring(from));
    return List.copyOf(pieces);
  }

  private static void words(List<Piece> pieces, String text) {
    if (!text.isEmpty()) {
      pieces.add(new Piece(text, false, Optional.empty()));
    }
  }
}
