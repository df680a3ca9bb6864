package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.ingest.UploadAnswer.Failed;
import dev.mainstay.server.health.ingest.UploadAnswer.Verdict;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The verdict on a job. It may pass when every test that failed to the end is quarantined, and
 * nothing was lost on the way that could hide another failure.
 */
final class Verdicts {
  private Verdicts() {}

  static Verdict of(UploadBatch batch, Collection<UUID> failed, Set<UUID> quarantined) {
    boolean mayPass = quarantined.size() == failed.size() && !batch.isLossy() && batch.read() > 0;
    List<Failed> told =
        failed.stream()
            .flatMap(id -> batch.failedTest(id).stream())
            .map(
                test ->
                    new Failed(
                        test.id(),
                        test.name(),
                        test.classname(),
                        test.parent(),
                        test.file(),
                        test.message(),
                        batch.ownersOf(test.file()),
                        quarantined.contains(test.id())))
            .toList();
    return new Verdict(
        mayPass,
        reason(batch, failed.size(), quarantined.size()),
        failed.size(),
        quarantined.size(),
        told);
  }

  private static String reason(UploadBatch batch, int failed, int quarantined) {
    if (batch.read() == 0) {
      return "No test result could be read.";
    }
    if (quarantined < failed) {
      int open = failed - quarantined;
      return "%d %s failed%s."
          .formatted(
              open,
              open == 1 ? "test" : "tests",
              quarantined > 0 ? " besides %d quarantined".formatted(quarantined) : "");
    }
    if (batch.isLossy()) {
      return "Some results could not be read, so a failure may be missing.";
    }
    return failed == 0
        ? "No test failed."
        : "All %d failed tests are quarantined.".formatted(failed);
  }
}
