package dev.mainstay.core.simulation.check.play;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Test results, and what test health makes of them; each from 0 to 1. {@code flakes} is the rate at
 * which statuses fail for tests that may be known to be flaky, {@code known} the share of these
 * which are. Of the results of failed runs, a share is {@code late}, and one is never sent. In an
 * outage all fails, the target branch too, which is {@code seen} by its own results or not; a share
 * of results comes {@code inParts} then: that of which comes last.
 */
public record Uploads(
    double flakes,
    double known,
    double late,
    double never,
    double inParts,
    List<Outage> outages,
    boolean seen) {
  /** Nobody sends results. */
  public static final Uploads NONE = new Uploads(0, 0, 0, 1, 0, List.of(), false);

  /** Minutes from the start, and how many. */
  public record Outage(int from, int minutes) {
    boolean holdsAt(Instant now) {
      Instant begin = Agenda.START.plus(Duration.ofMinutes(from));
      return !now.isBefore(begin) && now.isBefore(begin.plus(Duration.ofMinutes(minutes)));
    }
  }

  public Uploads {
    outages = List.copyOf(outages);
  }

  boolean isOut(Instant now) {
    return outages.stream().anyMatch(o -> o.holdsAt(now));
  }
}
