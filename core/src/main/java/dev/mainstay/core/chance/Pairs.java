package dev.mainstay.core.chance;

/**
 * How often two that meet fail together though each passes alone: counts of what was tried and of
 * what conflicted, older ones fading.
 */
public record Pairs(double tried, double conflicted) {
  static final Pairs NONE = new Pairs(0, 0);

  private static final double USUAL_TRIED = 25;
  private static final double USUAL_CONFLICTED = 1;
  private static final double FADING = 0.999;

  double rate() {
    return (conflicted + USUAL_CONFLICTED) / (tried + USUAL_TRIED);
  }

  Pairs after(int more, double conflicts) {
    return more == 0
        ? this
        : new Pairs(tried * FADING + more, conflicted * FADING + Math.min(more, conflicts));
  }
}
