package dev.mainstay.server;

import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.core.queue.FailingTest;
import dev.mainstay.server.health.TestHealth;
import dev.mainstay.server.health.result.ReportedFailure;
import dev.mainstay.server.queue.run.Evidence;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Tells merge queues what test health knows of the tests that failed in a run. A test is known to
 * be flaky where its status says so, or where it was quarantined when its failure came; it is known
 * to fail on the target branch where results of that say so, of the commit that the run was made
 * on.
 */
record RunEvidence(TestHealth tests) implements Evidence.Source {
  private static final int LONGEST_NAME = 150;
  private static final int LONGEST_REASON = 200;
  private static final int SHORT_SHA = 10;

  @Override
  public Evidence.Found find(Evidence.Question asked) {
    long repository = asked.repositoryId();
    if (!tests.hasResults(repository, asked.branch(), asked.commit())) {
      return new Evidence.Found(
          false, tests.hasRecentResults(repository, asked.prefix()), List.of());
    }
    List<ReportedFailure> failures = tests.failuresOn(repository, asked.branch(), asked.commit());
    List<String> ids = failures.stream().map(ReportedFailure::testId).toList();
    Map<String, String> flaky = tests.flaky(repository, ids);
    Set<String> onTarget = ids.isEmpty() ? Set.of() : onTarget(asked);
    Optional<String> there = asked.base().map(base -> there(asked.target(), base));
    return new Evidence.Found(
        true,
        true,
        failures.stream()
            .map(f -> failed(f, flaky, there.filter(w -> onTarget.contains(f.testId()))))
            .toList());
  }

  private Set<String> onTarget(Evidence.Question asked) {
    return asked
        .base()
        .map(base -> tests.failuresOn(asked.repositoryId(), asked.target(), base))
        .orElse(List.of())
        .stream()
        .map(ReportedFailure::testId)
        .collect(Collectors.toSet());
  }

  private static String there(String target, String base) {
    String sha = base.substring(0, Math.min(SHORT_SHA, base.length()));
    return line("it failed on %s at %s, too".formatted(target, sha), LONGEST_REASON);
  }

  private static FailingTest failed(
      ReportedFailure failure, Map<String, String> flaky, Optional<String> onTarget) {
    Optional<String> reason =
        Optional.ofNullable(flaky.get(failure.testId()))
            .or(() -> failure.quarantined() ? Optional.of("quarantined") : Optional.empty())
            .map(text -> line(text, LONGEST_REASON));
    return new FailingTest(failure.testId(), line(name(failure), LONGEST_NAME), reason, onTarget);
  }

  private static String name(ReportedFailure failure) {
    return failure.classname().isBlank()
        ? failure.name()
        : failure.classname() + " " + failure.name();
  }

  /** Text of others in one line, of a length that a sentence can bear. */
  private static String line(String text, int longest) {
    String line = BoundedText.oneLine(text);
    String whole = line.endsWith(".") ? line.substring(0, line.length() - 1) : line;
    return whole.length() <= longest ? whole : BoundedText.head(whole, longest - 1) + "…";
  }
}
