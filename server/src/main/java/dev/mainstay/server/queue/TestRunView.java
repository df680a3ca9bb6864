package dev.mainstay.server.queue;

import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.RunKind;
import dev.mainstay.server.queue.store.TestRunStore;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A test run as users see it, in progress or over. {@code outcome} says why it ended as it did,
 * where its status does not say it all; {@code dependsOn} are the pull requests it stands on, and
 * {@code leavesOut} those ahead that it assumes to leave.
 */
public record TestRunView(
    String id,
    TestRunStore.Status status,
    RunKind kind,
    String testBranch,
    Optional<String> testBranchSha,
    String baseSha,
    Instant createdAt,
    Optional<Instant> endedAt,
    Optional<String> outcome,
    List<String> requiredStatuses,
    TestRunStore.StatusSource requiredStatusesSource,
    List<Missing> missingStatuses,
    List<TestRunStore.Check> checks,
    List<TestedPullRequest> tested,
    List<TestedPullRequest> dependsOn,
    List<Integer> leavesOut,
    ImpactedTargets impactedTargets) {
  public TestRunView {
    requiredStatuses = List.copyOf(requiredStatuses);
    missingStatuses = List.copyOf(missingStatuses);
    checks = List.copyOf(checks);
    tested = List.copyOf(tested);
    dependsOn = List.copyOf(dependsOn);
    leavesOut = List.copyOf(leavesOut);
  }

  /** A required status of which nobody has said a word yet, and since when it is awaited. */
  public record Missing(String name, Instant since) {}

  /** A pull request in a run. The address is empty where the forge gives none. */
  public record TestedPullRequest(int number, String url, String title) {}
}
