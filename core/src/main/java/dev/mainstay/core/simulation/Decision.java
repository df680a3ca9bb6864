package dev.mainstay.core.simulation;

/**
 * The end of one change.
 *
 * @param falseEjection it was rejected although main would have stayed green with it
 */
public record Decision(int change, long arrival, long at, boolean landed, boolean falseEjection) {

  public long turnaround() {
    return at - arrival;
  }
}
