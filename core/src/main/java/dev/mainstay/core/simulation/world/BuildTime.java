package dev.mainstay.core.simulation.world;

import dev.mainstay.core.simulation.world.Dice.Topic;
import java.util.Locale;

/** The time one build takes, in minutes. */
public sealed interface BuildTime {

  double minutes(Dice dice, long change);

  record Fixed(double minutes) implements BuildTime {
    public Fixed {
      require(minutes > 0, "the build time must be above 0 minutes");
    }

    @Override
    public double minutes(Dice dice, long change) {
      return minutes;
    }

    @Override
    public String toString() {
      return "fixed:" + number(minutes);
    }
  }

  record Uniform(double shortest, double longest) implements BuildTime {
    public Uniform {
      require(shortest > 0, "the shortest build must be above 0 minutes");
      require(longest >= shortest, "the longest build must not be below the shortest");
    }

    @Override
    public double minutes(Dice dice, long change) {
      return shortest + (longest - shortest) * dice.roll(Topic.BUILD_TIME, change, 0);
    }

    @Override
    public String toString() {
      return "uniform:" + number(shortest) + "," + number(longest);
    }
  }

  /** Log-normal around a median; what falls outside the cut is moved to its edge. */
  record LogNormal(double median, double sigma, double shortest, double longest)
      implements BuildTime {
    public LogNormal {
      require(shortest > 0, "the shortest build must be above 0 minutes");
      require(sigma >= 0, "sigma must not be below 0");
      require(
          shortest <= median && median <= longest, "the median must lie between the two limits");
    }

    @Override
    public double minutes(Dice dice, long change) {
      double drawn = median * Math.exp(sigma * dice.normal(Topic.BUILD_TIME, change));
      return Math.clamp(drawn, shortest, longest);
    }

    @Override
    public String toString() {
      return "lognormal:%s,%s,%s,%s"
          .formatted(number(median), number(sigma), number(shortest), number(longest));
    }
  }

  /**
   * Reads {@code fixed:30}, {@code uniform:10,50}, {@code lognormal:30}, {@code lognormal:30,0.5}
   * or {@code lognormal:30,0.5,5,120}: minutes, sigma, and the limits of the cut.
   */
  static BuildTime parse(String text) {
    int colon = text.indexOf(':');
    String kind = text.substring(0, Math.max(colon, 0)).strip().toLowerCase(Locale.ROOT);
    double[] n = numbers(text.substring(colon + 1), text);
    return switch (kind + "/" + n.length) {
      case "/1", "fixed/1" -> new Fixed(n[0]);
      case "uniform/2" -> new Uniform(n[0], n[1]);
      case "lognormal/1" -> new LogNormal(n[0], 0.5, n[0] / 6, n[0] * 4);
      case "lognormal/2" -> new LogNormal(n[0], n[1], n[0] / 6, n[0] * 4);
      case "lognormal/4" -> new LogNormal(n[0], n[1], n[2], n[3]);
      default -> throw unreadable(text);
    };
  }

  private static double[] numbers(String list, String whole) {
    String[] parts = list.split(",", -1);
    double[] numbers = new double[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        numbers[i] = Double.parseDouble(parts[i].strip());
      } catch (NumberFormatException notANumber) {
        throw unreadable(whole);
      }
      require(Double.isFinite(numbers[i]), "'" + parts[i].strip() + "' is not a finite number");
    }
    return numbers;
  }

  private static IllegalArgumentException unreadable(String text) {
    return new IllegalArgumentException(
        "'"
            + text
            + "' is not a build time; write fixed:30, uniform:10,50, lognormal:30 or"
            + " lognormal:30,0.5,5,120 (minutes, sigma, shortest, longest)");
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
