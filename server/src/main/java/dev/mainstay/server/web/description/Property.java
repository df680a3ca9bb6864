package dev.mainstay.server.web.description;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A field of a body, or a parameter, as it is described. A field of a field is named with both, as
 * in {@code pr.number}; one of the values of a list as in {@code checks[].name}.
 */
public record Property(
    String name,
    Type type,
    boolean required,
    Range range,
    Optional<String> byDefault,
    String description) {

  /** A type in a word; {@code schema} is the name of one that is described by itself. */
  public record Type(String word, Optional<String> schema, List<String> choices) {
    public boolean isList() {
      return word.startsWith("list");
    }

    public boolean isTick() {
      return word.equals("true or false");
    }

    public boolean isNumber() {
      return word.endsWith("number");
    }
  }

  /** The bounds of a number, of the length of a text, and of that of a list. */
  public record Range(
      Optional<BigDecimal> least,
      Optional<BigDecimal> most,
      Optional<Integer> longest,
      Optional<Integer> mostItems) {

    public String words() {
      var words = new ArrayList<String>();
      if (least.isPresent() && most.isPresent()) {
        words.add(plain(least.get()) + " to " + plain(most.get()));
      } else {
        least.ifPresent(l -> words.add("at least " + plain(l)));
        most.ifPresent(m -> words.add("at most " + plain(m)));
      }
      longest.ifPresent(l -> words.add("at most %,d characters".formatted(l)));
      mostItems.ifPresent(m -> words.add("at most %,d of them".formatted(m)));
      return String.join("; ", words);
    }
  }

  static String plain(BigDecimal number) {
    return number.stripTrailingZeros().toPlainString();
  }

  /** A number as the attribute of an input has it; null where there is none. */
  public static @Nullable String attribute(Optional<BigDecimal> bound) {
    return bound.map(Property::plain).orElse(null);
  }

  /** Its name as people write it: {@code testingTimeoutMinutes} is "Testing timeout minutes". */
  public String label() {
    String words =
        name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").replace('_', ' ').toLowerCase(Locale.ROOT);
    String sentence = Character.toUpperCase(words.charAt(0)) + words.substring(1);
    return sentence.replaceAll(" prs\\b", " pull requests").replaceAll("\\burl\\b", "address");
  }
}
