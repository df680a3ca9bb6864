package dev.mainstay.server.forge;

import java.util.Optional;

/** One thing that was looked at when a repository was checked, and how to mend it. */
public record Finding(Level level, String sentence, Optional<String> mend) {
  public enum Level {
    /** It is as it should be. */
    GOOD,
    /** It works, and could be safer. */
    ADVICE,
    /** Something will not work. */
    MISSING
  }

  public static Finding good(String sentence) {
    return new Finding(Level.GOOD, sentence, Optional.empty());
  }

  public static Finding advice(String sentence, String mend) {
    return new Finding(Level.ADVICE, sentence, Optional.of(mend));
  }

  public static Finding missing(String sentence, String mend) {
    return new Finding(Level.MISSING, sentence, Optional.of(mend));
  }
}
