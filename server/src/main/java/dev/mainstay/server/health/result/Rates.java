package dev.mainstay.server.health.result;

import java.time.Duration;

/** The failure rates of tests in the 7 days and the 24 hours that end now. */
public final class Rates {
  public static final Duration WEEK = Duration.ofDays(7);
  public static final Duration DAY = Duration.ofDays(1);

  private Rates() {}

  /** Rates are fractions from 0 to 1, 0 where nothing ran; pull requests are those of the week. */
  public record Numbers(double week, double day, int pullRequests) {
    public static final Numbers NONE = new Numbers(0, 0, 0);
  }
}
