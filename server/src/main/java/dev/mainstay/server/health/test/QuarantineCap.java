package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Quarantine;
import dev.mainstay.server.platform.Fact;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jdbi.v3.core.Handle;

/**
 * The cap on automatic quarantining: where it would hide more tests than that, something larger is
 * wrong, and it is switched off for the repository. What people decided still counts.
 */
public final class QuarantineCap {
  private static final int MOST_TOLD = 2000;

  private QuarantineCap() {}

  /**
   * Switches automatic quarantining off where it hides too much; returns what is to be told to
   * those whose tests it hid.
   */
  public static List<Fact> enforce(Handle handle, long repositoryId, Instant now) {
    TestSettings settings = TestSettingsStore.find(handle, repositoryId);
    Quarantine.Switches switches = settings.quarantine();
    if (!switches.enabled() || !switches.automatic() || settings.quarantineCap().isEmpty()) {
      return List.of();
    }
    int cap = settings.quarantineCap().get();
    List<UUID> hidden = QuarantineStore.automatic(handle, repositoryId, now);
    if (hidden.size() <= cap) {
      return List.of();
    }
    String sentence =
        "Automatic quarantining was switched off: it would hide %d tests, and quarantine_cap is %d."
            .formatted(hidden.size(), cap);
    return TestSettingsStore.stopAutomatic(handle, repositoryId, sentence, now)
        ? hidden.stream()
            .limit(MOST_TOLD)
            .map(test -> TestFacts.quarantineEnded(test, now, "quarantine_cap", sentence))
            .toList()
        : List.of();
  }
}
