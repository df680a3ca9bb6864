package dev.mainstay.core.health;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A test's standing, as it is stored between two judgements.
 *
 * @param since when the status last changed
 */
public record Standing(
    TestStatus status, String reason, Instant since, List<MonitorState> monitors) {
  public static final String NEVER_FLAGGED = "No monitor has flagged this test.";
  public static final String WATCHED_NO_MORE =
      "The monitor that flagged this test is no longer on.";

  public Standing {
    monitors = List.copyOf(monitors);
  }

  public static Standing unflagged(Instant firstSeenAt) {
    return new Standing(TestStatus.HEALTHY, NEVER_FLAGGED, firstSeenAt, List.of());
  }

  public Optional<MonitorState> of(MonitorId monitor) {
    return monitors.stream().filter(state -> state.monitor().equals(monitor)).findFirst();
  }
}
