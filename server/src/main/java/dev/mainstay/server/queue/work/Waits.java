package dev.mainstay.server.queue.work;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.time.Duration;

/** The waits for a forge that asks for one, or that refuses credentials. */
final class Waits {
  /** Refused credentials seldom become good by themselves; connecting anew ends the wait. */
  static final Duration REFUSED = Duration.ofMinutes(10);

  private static final Duration LONGEST = Duration.ofHours(1);

  private Waits() {}

  /** As long as the forge asks for, within reason, and never shorter than without its asking. */
  static Duration asked(ForgeUnavailable fault, Duration usual) {
    Duration asked = fault.retryAfter().orElse(Duration.ZERO);
    Duration bounded = asked.compareTo(LONGEST) > 0 ? LONGEST : asked;
    return bounded.compareTo(usual) > 0 ? bounded : usual;
  }
}
