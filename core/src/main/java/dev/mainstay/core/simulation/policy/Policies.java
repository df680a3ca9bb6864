package dev.mainstay.core.simulation.policy;

import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.world.WorldSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The policies that ours is compared with, by the names users call them. */
public final class Policies {
  /** The yardstick of every comparison. */
  public static final Contender ORACLE = new Contender("oracle", SpeculationPolicy::oracle);

  private static final int ZUUL_WINDOW = 20;

  private static final Map<String, String> KNOWN = new LinkedHashMap<>();

  static {
    KNOWN.put("serial", "one change after the other, one build at a time");
    KNOWN.put("serial-lanes", "serial, but lanes whose targets do not meet go side by side");
    KNOWN.put("bors", "batch all that waits and bisect what fails; bors:8 limits the batch");
    KNOWN.put("zuul", "speculate on all ahead, with an adaptive window; zuul:20 sets its start");
    KNOWN.put("zuul-lanes", "speculate on all ahead whose targets meet, without a window");
    KNOWN.put("everything", "speculate on every combination of outcomes, breadth first");
    KNOWN.put("probable", "speculate on the likeliest outcomes, knowing the rates of the world");
    KNOWN.put("oracle", "knows every outcome and builds each change once");
    KNOWN.put("none", "no queue: a change lands when it passes on its author's base");
  }

  private Policies() {}

  /** Every name with what it does. */
  public static Map<String, String> known() {
    return Collections.unmodifiableMap(KNOWN);
  }

  /** Reads a name, with a number after a colon where the policy takes one. */
  public static Contender named(String text, WorldSettings settings) {
    List<String> parts = List.of(text.strip().toLowerCase(Locale.ROOT).split(":", 2));
    String name = parts.getFirst();
    if (parts.size() == 1) {
      return named(name, text, settings);
    }
    int number = number(parts.getLast(), text);
    return switch (name) {
      case "bors" -> new Contender(text, world -> new BatchPolicy(number));
      case "zuul" -> new Contender(text, world -> OptimisticPolicy.withWindow(number));
      default ->
          throw new IllegalArgumentException("'" + text + "': only bors and zuul take a number");
    };
  }

  private static Contender named(String name, String text, WorldSettings settings) {
    return switch (name) {
      case "serial" -> new Contender(name, world -> new SerialPolicy(false));
      case "serial-lanes" -> new Contender(name, world -> new SerialPolicy(true));
      case "bors" -> new Contender(name, world -> new BatchPolicy(Integer.MAX_VALUE));
      case "zuul" -> new Contender(name, world -> OptimisticPolicy.withWindow(ZUUL_WINDOW));
      case "zuul-lanes" -> new Contender(name, world -> OptimisticPolicy.withLanes());
      case "everything" -> new Contender(name, world -> SpeculationPolicy.everything());
      case "probable" ->
          new Contender(
              name,
              world ->
                  SpeculationPolicy.probable(settings.ownFailureRate(), settings.conflictRate()));
      case "oracle" -> ORACLE;
      case "none" -> new Contender(name, world -> new UnguardedPolicy());
      default ->
          throw new IllegalArgumentException(
              "'" + text + "' is not a policy; known are " + String.join(", ", KNOWN.keySet()));
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
