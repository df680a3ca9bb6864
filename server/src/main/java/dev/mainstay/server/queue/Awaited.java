package dev.mainstay.server.queue;

import dev.mainstay.core.queue.Entry;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.Reason;
import dev.mainstay.core.queue.Run;
import dev.mainstay.core.queue.rules.StatusNames;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/**
 * The required statuses that a run in progress waits for and of which nobody has said a word, since
 * its test branch was there, or since it was asked for.
 */
final class Awaited {
  private Awaited() {}

  static List<TestRunView.Missing> of(Run run) {
    if (!run.isInProgress()) {
      return List.of();
    }
    Instant since = run.builtAt().orElse(run.requestedAt());
    return run.missingStatuses().stream()
        .map(name -> new TestRunView.Missing(name, since))
        .toList();
  }

  /** The reason for an entry's state; under test it names the statuses that are missing. */
  static Reason reason(Entry entry, Run run) {
    List<TestRunView.Missing> missing = of(run);
    if (!entry.is(PullRequestState.TESTING) || run.builtAt().isEmpty() || missing.isEmpty()) {
      return entry.reason();
    }
    List<String> names = missing.stream().map(TestRunView.Missing::name).toList();
    String sentence =
        "%s Nothing was reported yet for %s, awaited since %s."
            .formatted(
                entry.reason().sentence(),
                StatusNames.of(names),
                missing.getFirst().since().truncatedTo(ChronoUnit.SECONDS));
    return new Reason(entry.reason().code(), sentence);
  }
}
