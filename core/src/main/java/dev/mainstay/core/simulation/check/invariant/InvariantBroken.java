package dev.mainstay.core.simulation.check.invariant;

/** Something that must always be true was not. */
public final class InvariantBroken extends RuntimeException {
  private static final long serialVersionUID = 1;
  private final Invariant invariant;

  public InvariantBroken(Invariant invariant, String detail) {
    super(detail);
    this.invariant = invariant;
  }

  InvariantBroken(Invariant invariant, String detail, RuntimeException cause) {
    super(detail, cause);
    this.invariant = invariant;
  }

  public Invariant invariant() {
    return invariant;
  }

  /** The breach, in one line. */
  public String detail() {
    return String.valueOf(getMessage());
  }
}
