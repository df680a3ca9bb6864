package dev.mainstay.server;

import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.server.health.TestHealth;
import dev.mainstay.server.health.result.ReportedFailure;
import dev.mainstay.server.queue.run.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Tells merge queues what test health knows of the tests that failed in a run. A test is known to
 * be flaky where its status says so, or where it was quarantined when its failure came.
 */
record RunEvidence(TestHealth tests) implements Evidence.Source {
  private static final int LONGEST_NAME = 150;
  private static final int LONGEST_REASON = 200;

  @Override
  public Evidence.Found find(long repositoryId, String branch, String commit, String prefix) {
    if (!tests.hasResults(repositoryId, branch, commit)) {
      return new Evidence.Found(false, tests.hasRecentResults(repositoryId, prefix), List.of());
    }
    List<ReportedFailure> failures = tests.failuresOn(repositoryId, branch, commit);
    Map<String, String> flaky =
        tests.flaky(repositoryId, failures.stream().map(ReportedFailure::testId).toList());
    return new Evidence.Found(true, true, failures.stream().map(f -> failed(f, flaky)).toList());
  }

  private static FailingTest failed(ReportedFailure failure, Map<String, String> flaky) {
    Optional<String> reason =
        Optional.ofNullable(flaky.get(failure.testId()))
            .or(() -> failure.quarantined() ? Optional.of("quarantined") : Optional.empty())
            .map(text -> line(text, LONGEST_REASON));
    return new FailingTest(failure.testId(), line(name(failure), LONGEST_NAME), reason);
  }

  private static String name(ReportedFailure failure) {
    return failure.classname().isBlank()
        ? failure.name()
        : failure.classname() + " " + failure.name();
  }

  /** Text of others in one line, of a length that a sentence can bear. */
  private static String line(String text, int longest) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    String whole = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    return whole.length() <= longest ? whole : whole.substring(0, longest - 1) + "…";
  }
}
