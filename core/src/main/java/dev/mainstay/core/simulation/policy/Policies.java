package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.List;
import java.util.Locale;

/** The policies that ours is compared with, by the names users call them. */
public final class Policies {
  /** The yardstick of every comparison. */
  public static final Contender ORACLE = new Contender("oracle", SpeculationPolicy::oracle);

  private static final int ZUUL_WINDOW = 20;

  private static final List<String> NAMES =
      List.of(
          "serial",
          "serial-lanes",
          "bors",
          "zuul",
          "zuul-lanes",
          "everything",
          "probable",
          "oracle",
          "none");

  private Policies() {}

  /** Reads a name, with a number after a colon where the policy takes one. */
  public static Contender named(String text, WorldSettings settings) {
    return named(text, settings.ownFailureRate(), settings.conflictRate());
  }

  /** The same; who is to know them is told how often changes fail, and pairs that meet. */
  public static Contender named(String text, double ownFailureRate, double conflictRate) {
    List<String> parts = List.of(text.strip().toLowerCase(Locale.ROOT).split(":", 2));
    String name = parts.getFirst();
    if (parts.size() == 1) {
      return known(name, text, ownFailureRate, conflictRate);
    }
    int number = number(parts.getLast(), text);
    return switch (name) {
      case "bors" -> new Contender(text, world -> new BatchPolicy(number));
      case "zuul" -> new Contender(text, world -> OptimisticPolicy.withWindow(number));
      default ->
          throw new IllegalArgumentException("'" + text + "': only bors and zuul take a number");
    };
  }

  private static Contender known(
      String name, String text, double ownFailureRate, double conflictRate) {
    return switch (name) {
      case "serial" -> new Contender(name, world -> new SerialPolicy(false));
      case "serial-lanes" -> new Contender(name, world -> new SerialPolicy(true));
      case "bors" -> new Contender(name, world -> new BatchPolicy(Integer.MAX_VALUE));
      case "zuul" -> new Contender(name, world -> OptimisticPolicy.withWindow(ZUUL_WINDOW));
      case "zuul-lanes" -> new Contender(name, world -> OptimisticPolicy.withLanes());
      case "everything" -> new Contender(name, world -> SpeculationPolicy.everything());
      case "probable" ->
          new Contender(name, world -> SpeculationPolicy.probable(ownFailureRate, conflictRate));
      case "oracle" -> ORACLE;
      case "none" -> new Contender(name, world -> new UnguardedPolicy());
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' is not a policy; known are " + String.join(", ", NAMES));
    };
  }

  private static int number(String digits, String text) {
    try {
      int number = Integer.parseInt(digits);
      if (number >= 1) {
        return number;
      }
    } catch (NumberFormatException notANumber) {
      // Falls through to the one message for every bad number.
    }
    throw new IllegalArgumentException("'" + text + "': the number must be a whole one from 1");
  }
}
