package dev.mainstay.core.simulation.check.play;

/**
 * The rates at which things go wrong, each from 0 to 1. {@code lost} events are told again hours
 * later; {@code crash} is a worker that dies between saving and acting, so that its action waits
 * for another one; {@code repeated} is an action done twice.
 */
public record FaultRates(
    double lost,
    double doubled,
    double late,
    double crash,
    double repeated,
    double buildFails,
    double slow,
    double flaky,
    double silentCi,
    double landingFails,
    double halfLandings) {
  public static final FaultRates NONE = new FaultRates(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** The one fault of a kind that is easy to name. */
  public enum Kind {
    LOST,
    DOUBLED,
    LATE,
    CRASH,
    REPEATED,
    BUILD_FAILS,
    SLOW,
    FLAKY,
    SILENT_CI,
    LANDING_FAILS,
    HALF_LANDINGS
  }

  public double of(Kind kind) {
    return switch (kind) {
      case LOST -> lost;
      case DOUBLED -> doubled;
      case LATE -> late;
      case CRASH -> crash;
      case REPEATED -> repeated;
      case BUILD_FAILS -> buildFails;
      case SLOW -> slow;
      case FLAKY -> flaky;
      case SILENT_CI -> silentCi;
      case LANDING_FAILS -> landingFails;
      case HALF_LANDINGS -> halfLandings;
    };
  }

  /** The same, with another value for one of them. */
  public FaultRates with(Kind kind, double value) {
    return new FaultRates(
        kind == Kind.LOST ? value : lost,
        kind == Kind.DOUBLED ? value : doubled,
        kind == Kind.LATE ? value : late,
        kind == Kind.CRASH ? value : crash,
        kind == Kind.REPEATED ? value : repeated,
        kind == Kind.BUILD_FAILS ? value : buildFails,
        kind == Kind.SLOW ? value : slow,
        kind == Kind.FLAKY ? value : flaky,
        kind == Kind.SILENT_CI ? value : silentCi,
        kind == Kind.LANDING_FAILS ? value : landingFails,
        kind == Kind.HALF_LANDINGS ? value : halfLandings);
  }
}
