package dev.mainstay.server.web.tests;

import dev.mainstay.server.web.tests.Answers.Flakiness;

/**
 * A rate and its interval on a scale from nothing to {@code end}; places are in thousandths of the
 * scale.
 */
public record RateScale(int low, int rate, int high, double end) {
  public static final int LENGTH = 1000;
  private static final double[] ENDS = {0.02, 0.05, 0.1, 0.2, 0.5, 1};

  static RateScale of(Flakiness flakiness) {
    double end = 1;
    for (double e : ENDS) {
      if (flakiness.high() <= e) {
        end = e;
        break;
      }
    }
    return new RateScale(
        place(flakiness.low(), end),
        place(flakiness.rate(), end),
        place(flakiness.high(), end),
        end);
  }

  private static int place(double value, double end) {
    return (int) Math.round(Math.clamp(value / end, 0, 1) * LENGTH);
  }
}
