package dev.mainstay.core.simulation.policy;

import java.util.BitSet;

/** The chance that a change is thought to land, by which a speculation tree is weighed. */
interface Foresight {

  double chance(int change, Evidence evidence);

  /**
   * The evidence about an undecided change.
   *
   * @param ahead how many undecided changes it depends on
   * @param provenWith the most of these it has passed with in one build; below 0 without a pass
   * @param failed whether a build of it failed that may still come true
   */
  record Evidence(int ahead, int provenWith, boolean failed) {}

  /** Every outcome is as likely as its opposite. */
  record CoinFlip() implements Foresight {
    @Override
    public double chance(int change, Evidence evidence) {
      return 0.5;
    }
  }

  /** Knows how often changes fail and conflict, and learns from the builds it has seen. */
  record BaseRates(double ownFailure, double conflict) implements Foresight {
    /** A build that failed may have failed for one it was built with. */
    private static final double AFTER_FAILURE = 0.05;

    private static final double AFTER_BOTH = 0.5;

    @Override
    public double chance(int change, Evidence evidence) {
      if (evidence.failed) {
        return evidence.provenWith >= 0 ? AFTER_BOTH : AFTER_FAILURE;
      }
      return evidence.provenWith >= 0
          ? Math.pow(1 - conflict, evidence.ahead - evidence.provenWith)
          : (1 - ownFailure) * Math.pow(1 - conflict, evidence.ahead);
    }
  }

  /** Knows the end of every change beforehand. */
  record Truth(BitSet lands) implements Foresight {
    @Override
    public double chance(int change, Evidence evidence) {
      return lands.get(change) ? 1 : 0;
    }
  }
}
