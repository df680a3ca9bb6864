package dev.mainstay.server.health.ingest;

import dev.mainstay.server.health.ingest.UploadAnswer.Failed;
import dev.mainstay.server.health.ingest.UploadAnswer.Shortfall;
import dev.mainstay.server.health.ingest.UploadAnswer.Unread;
import dev.mainstay.server.health.ingest.UploadAnswer.Verdict;
import dev.mainstay.server.report.Skipped;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import tools.jackson.databind.JsonNode;

/**
 * The verdict on a job. It may pass when a report was read, every test that failed to the end is
 * quarantined, and nothing is missing that could hide another failure.
 */
final class Verdicts {
  private Verdicts() {}

  static Verdict of(UploadBatch batch, Collection<UUID> failed, Set<UUID> quarantined) {
    boolean mayPass =
        quarantined.size() == failed.size()
            && !batch.gaps.areHidingResults()
            && batch.reports() > 0;
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
                        test.title(),
                        batch.about.ciUrl(),
                        batch.owners.of(test.file()),
                        quarantined.contains(test.id())))
            .toList();
    return new Verdict(
        mayPass,
        reason(batch, failed.size(), quarantined.size()),
        failed.size(),
        quarantined.size(),
        told,
        batch.gaps.skips.stream()
            .filter(skip -> skip.kind() == Skipped.Kind.UNREADABLE)
            .map(skip -> new Unread(skip.file(), skip.reason()))
            .toList(),
        batch.gaps.missing.stream()
            .map(less -> new Shortfall(less.file(), less.announced(), less.found()))
            .toList());
  }

  /**
   * The exit code for a job whose tests ended with one. A job that failed stays so unless all of
   * its failures are known and quarantined; one that passed fails for tests that did, and where it
   * is strict also for results that could not be read.
   */
  static int exitCode(JsonNode verdict, int testExitCode, boolean strict) {
    boolean mayPass = verdict.path("may_pass").asBoolean();
    int failed = verdict.path("failed_tests").asInt();
    if (testExitCode != 0) {
      return mayPass && failed > 0 ? 0 : testExitCode;
    }
    boolean open = failed > verdict.path("quarantined_tests").asInt();
    return open || (strict && !mayPass) ? 1 : 0;
  }

  private static String reason(UploadBatch batch, int failed, int quarantined) {
    if (batch.reports() == 0) {
      return "No test report could be read.";
    }
    if (quarantined < failed) {
      int open = failed - quarantined;
      return "%d %s failed%s."
          .formatted(
              open,
              open == 1 ? "test" : "tests",
              quarantined > 0 ? " besides %d quarantined".formatted(quarantined) : "");
    }
    if (batch.gaps.areHidingResults()) {
      return "Some results could not be read, so a failure may be missing.";
    }
    return failed == 0
        ? "No test failed."
        : "All %d failed tests are quarantined.".formatted(failed);
  }
}
