package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Glob;
import dev.mainstay.core.health.Quarantine;
import java.util.List;
import java.util.Optional;

/** The settings of a repository for its tests. */
public record TestSettings(
    Quarantine.Switches quarantine,
    List<Glob> stableBranches,
    boolean infraProtection,
    double infraThreshold,
    Optional<String> codeOwners) {

  static final TestSettings DEFAULT =
      new TestSettings(
          Quarantine.Switches.OFF,
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
