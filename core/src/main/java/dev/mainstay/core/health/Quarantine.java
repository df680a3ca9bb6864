package dev.mainstay.core.health;

import java.util.Optional;

/** Quarantine: the failure of a test does not count against a job. */
public final class Quarantine {
  private Quarantine() {}

  /** Somebody's decision about one test, which goes before its status. */
  public enum Choice {
    ALWAYS_QUARANTINE,
    NEVER_QUARANTINE
  }

  /** The switches of a repository; both are off at first. */
  public record Switches(boolean enabled, boolean automatic) {
    public static final Switches OFF = new Switches(false, false);
  }

  public static boolean applies(Switches switches, TestStatus status, Optional<Choice> override) {
    if (!switches.enabled()) {
      return false;
    }
    return override
        .map(chosen -> chosen == Choice.ALWAYS_QUARANTINE)
        .orElse(switches.automatic() && status != TestStatus.HEALTHY);
  }
}
