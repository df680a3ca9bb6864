package dev.mainstay.core.simulation.past;

import dev.mainstay.core.queue.QueueSettings;
import dev.mainstay.core.queue.QueueSettings.DirectMergeMode;
import dev.mainstay.core.simulation.Contender;
import dev.mainstay.core.simulation.policy.MainstayPolicy;
import java.util.Optional;

/**
 * Something to try on the past.
 *
 * @param settings those of our own engine; empty for the policy of somebody else
 * @param slots runs at the same time
 */
public record Trial(Kind kind, Contender contender, Optional<QueueSettings> settings, int slots) {

  /**
   * The settings as they are, some that were asked for, some that are often asked for, a policy.
   */
  public enum Kind {
    PRESENT,
    ASKED,
    USUAL,
    POLICY
  }

  /**
   * Our own queue with these settings, which has slots of its own for bisection. Nothing merges
   * without a run here, since what a run would have said is all that is known of the past.
   */
  public static Trial of(Kind kind, String label, QueueSettings settings, boolean knowsFlakes) {
    QueueSettings tried = settings.edit().directMergeMode(DirectMergeMode.OFF).build();
    return new Trial(
        kind,
        new Contender(label, world -> new MainstayPolicy(tried, knowsFlakes)),
        Optional.of(tried),
        tried.concurrency() + tried.bisectionSlots());
  }

  /** A policy of somebody else with as many slots as the queue has now. */
  public static Trial of(Contender policy, QueueSettings present) {
    return new Trial(Kind.POLICY, policy, Optional.empty(), present.concurrency());
  }

  public String label() {
    return contender.label();
  }
}
