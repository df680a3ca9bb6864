package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.test.NamedTest;
import dev.mainstay.server.health.test.QuarantineStore;
import dev.mainstay.server.health.test.TestSettingsStore;
import dev.mainstay.server.platform.http.Fields;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jdbi.v3.core.Handle;

/**
 * The quarantined ones of the tests that a client sends. Clients compute some ids differently, so a
 * test is also known by its names; and where the client knows no file, by the others alone.
 */
final class QuarantineConfig {
  private QuarantineConfig() {}

  /** A test as a client names it. */
  static NamedTest test(Fields in) {
    return new NamedTest(
        in.anyText("id").orElse(""),
        in.anyText("name").orElse(""),
        in.anyText("parentName").orElse(""),
        in.anyText("className").orElse(""),
        in.anyText("file").orElse(""),
        in.anyText("variant").orElse(""));
  }

  /**
   * The ids, as they were sent, of the quarantined tests; empty where quarantining is switched off.
   */
  static Optional<List<String>> of(
      Handle handle, long repositoryId, List<NamedTest> sent, Instant now) {
    var switches = TestSettingsStore.find(handle, repositoryId).quarantine();
    if (!switches.enabled()) {
      return Optional.empty();
    }
    Set<Object> known = new HashSet<>();
    for (NamedTest test : QuarantineStore.all(handle, repositoryId, switches.automatic(), now)) {
      known.add(test.id());
      known.add(test.names());
      known.add(test.namesWithoutFile());
    }
    return Optional.of(
        sent.stream()
            .filter(
                test ->
                    known.contains(test.id())
                        || known.contains(test.names())
                        || (test.file().isEmpty() && known.contains(test.namesWithoutFile())))
            .map(NamedTest::id)
            .distinct()
            .toList());
  }
}
