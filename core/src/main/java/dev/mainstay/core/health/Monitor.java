package dev.mainstay.core.health;

/** A rule that a repository has set up, under a name its people know. */
public record Monitor(MonitorId id, String name, boolean enabled, MonitorRule rule) {
  public static final int LONGEST_NAME = 100;

  public Monitor {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException("The name of a monitor has 1 to 100 characters.");
    }
  }
}
