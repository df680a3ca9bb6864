package dev.mainstay.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The faults of the options, collected so that users hear of all of them at once. */
public final class Faults {
  private final List<String> found = new ArrayList<>();

  public void add(String option, String sentence) {
    found.add(option + ": " + sentence);
  }

  public List<String> found() {
    return List.copyOf(found);
  }

  /** A number in the range; where it is not one, a fault, and the least that is allowed. */
  public double number(String option, String text, double least, double most) {
    try {
      double value = Double.parseDouble(text.strip());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for every bad number.
    }
    add(
        option,
        "must be a number from %s to %s, not '%s'".formatted(plain(least), plain(most), text));
    return least;
  }

  public int whole(String option, String text, int least, int most) {
    return (int) wholeLong(option, text, least, most);
  }

  public long wholeLong(String option, String text, long least, long most) {
    try {
      long value = Long.parseLong(text.strip());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for every bad number.
    }
    add(option, "must be a whole number from %s to %s, not '%s'".formatted(least, most, text));
    return least;
  }

  /** A share, written as 0.05 or as 5%. */
  public double share(String option, String text) {
    String stripped = text.strip();
    boolean percent = stripped.endsWith("%");
    try {
      double value =
          Double.parseDouble(percent ? stripped.substring(0, stripped.length() - 1) : stripped);
      double share = percent ? value / 100 : value;
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for every bad share.
    }
    add(option, "must be from 0 to 1, or from 0%% to 100%%, not '%s'".formatted(text));
    return 0;
  }

  /** The reader's value of the text; where it refuses, a fault with its words. */
  public <T> T read(String option, String text, Function<String, T> reader, T otherwise) {
    try {
      return reader.apply(text);
    } catch (IllegalArgumentException refused) {
      add(option, String.valueOf(refused.getMessage()));
      return otherwise;
    }
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }
}
