package dev.mainstay.core.simulation.check.play;

/**
 * Test results, and what test health makes of them; each from 0 to 1. {@code flakes} is the rate at
 * which statuses fail for tests that may be known to be flaky, {@code known} the share of these
 * which are. Of the results of failed runs, a share is {@code late}, and one is never sent.
 */
public record Uploads(double flakes, double known, double late, double never) {
  /** Nobody sends results. */
  public static final Uploads NONE = new Uploads(0, 0, 0, 1);
}
