package dev.mainstay.server.queue.whatif;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.simulation.policy.Policies;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * What is to be tried on the past of a queue; the settings as they are always take part.
 *
 * @param usual what is often asked for takes part, too
 * @param policies names of policies of others
 */
public record Question(
    Optional<Instant> from,
    Optional<Instant> to,
    List<Variant> variants,
    boolean usual,
    List<String> policies) {
  /** The names, in words. */
  public static final String POLICIES =
      "serial, serial-lanes, bors, bors:N, zuul, zuul:N, zuul-lanes, everything, probable, oracle and"
          + " none, with N a whole number from 1";

  private static final Pattern NAME = Pattern.compile("[a-z-]{1,20}(:[1-9][0-9]{0,8})?");

  public Question {
    variants = List.copyOf(variants);
    policies = List.copyOf(policies);
  }

  /** Other settings, as a change of those that are. */
  public record Variant(String label, UnaryOperator<QueueSettings> edit) {}

  /** The name of a policy; empty where nobody is called so. */
  public static Optional<String> policy(String name) {
    try {
      return NAME.matcher(name).matches()
          ? Optional.of(Policies.named(name, 0, 0).label())
          : Optional.empty();
    } catch (IllegalArgumentException unknown) {
      return Optional.empty();
    }
  }
}
