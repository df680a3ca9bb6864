package dev.mainstay.server.health.test;

import dev.mainstay.core.health.Quarantine;
import dev.mainstay.core.health.TestStatus;
import java.time.Instant;
import java.util.Optional;

/**
 * Which tests of a repository are asked for. Texts are compared without case.
 *
 * @param search a part of the name, the class or the file
 * @param file a part of the file; with {@code *} or {@code ?} in it, a pattern of the whole
 * @param switches what the repository quarantines, where that is asked for
 */
public record TestFilter(
    Optional<String> search,
    Optional<TestStatus> status,
    Optional<String> owner,
    Optional<Boolean> quarantined,
    Optional<String> file,
    Optional<String> ticket,
    Quarantine.Switches switches,
    Instant now) {

  /** Whether only tests can pass that are not healthy, or that somebody decided about. */
  boolean isForNotable() {
    return status.filter(s -> s != TestStatus.HEALTHY).isPresent() || quarantined.orElse(false);
  }
}
