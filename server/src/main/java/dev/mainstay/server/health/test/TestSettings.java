package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Quarantine;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a repository for its tests.
 *
 * @param quarantineCap how many tests may be quarantined automatically
 * @param stopped that automatic quarantining was switched off because they were more
 */
public record TestSettings(
    Quarantine.Switches quarantine,
    Optional<Integer> quarantineCap,
    Optional<Stopped> stopped,
    List<Glob> stableBranches,
    boolean infraProtection,
    double infraThreshold,
    Optional<String> codeOwners) {

  /** When automatic quarantining was switched off, and why. */
  public record Stopped(Instant at, String reason) {}

  static final TestSettings DEFAULT =
      new TestSettings(
          Quarantine.Switches.OFF,
          Optional.empty(),
          Optional.empty(),
          List.of(new Glob("main"), new Glob("master")),
          false,
          0.8,
          Optional.empty());

  /** True where a text can be a pattern for branches, and be stored. */
  public static boolean isGlob(String text, int maxLength) {
    return text.chars().anyMatch(c -> c != ' ')
        && text.codePointCount(0, text.length()) <= maxLength
        && text.codePoints()
            .noneMatch(
                c -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE);
  }
}
