package dev.mainstay.core.chance;

import java.util.Locale;

/** A trait of a pull request that its chance may hang on, known before it is tested. */
public record Trait(Kind kind, String value) {

  /**
   * The kinds of traits, and how far one of each may be from the usual before anything is known.
   */
  public enum Kind {
    AUTHOR(0.5),
    TARGET(0.2),
    SIZE(0.3),
    HEAD_CHECKS(0.5),
    EARLIER_ATTEMPT(0.5);

    private final double doubt;

    Kind(double doubt) {
      this.doubt = doubt;
    }

    /** The variance of its weight, in log odds. */
    double doubt() {
      return doubt;
    }

    /** As programs read it: {@code head_checks}. */
    public String code() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Reads what {@link #toString} writes. */
  public static Trait valueOf(String text) {
    int end = text.indexOf(' ');
    return new Trait(Kind.valueOf(text.substring(0, end)), text.substring(end + 1));
  }

  @Override
  public String toString() {
    return kind + " " + value;
  }
}
