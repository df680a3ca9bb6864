package dev.mainstay.core.chance;

/**
 * What speaks for a failure, in log odds: the best guess, and the variance that is left of it.
 *
 * <p>Rates move: with every outcome a little of what was known is doubted again, as much as was
 * doubted at first at most.
 */
public record Weight(double lean, double doubt) {
  private static final double FORGETTING = 1.004;
  private static final double MOST = 6;

  /**
   * After an outcome that came as a surprise of this size, of which this weight explains a part.
   */
  Weight after(double surprise, double information, double allDoubts, double firstDoubt) {
    double now = Math.min(firstDoubt, doubt * FORGETTING);
    double scale = 1 + information * allDoubts;
    double moved = lean + now * surprise / scale;
    double left = now - now * now * information / scale;
    return new Weight(Math.clamp(moved, -MOST, MOST), left);
  }
}
