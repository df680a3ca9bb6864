package dev.mainstay.server.queue;

import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.RunKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One test run, in progress or over. {@code dependsOn} is what it stands on. */
public record TestRunView(
    String id,
    Status status,
    RunKind kind,
    String testBranch,
    Optional<String> testBranchSha,
    String baseSha,
    Instant createdAt,
    Optional<Instant> endedAt,
    List<String> requiredStatuses,
    StatusSource requiredStatusesSource,
    List<Check> checks,
    List<TestedPullRequest> tested,
    List<TestedPullRequest> dependsOn,
    ImpactedTargets impactedTargets) {
  public TestRunView {
    requiredStatuses = List.copyOf(requiredStatuses);
    checks = List.copyOf(checks);
    tested = List.copyOf(tested);
    dependsOn = List.copyOf(dependsOn);
  }

  /** How a run stands. */
  public enum Status {
    IN_PROGRESS,
    SUCCEEDED,
    FAILED,
    CANCELLED
  }

  /** Who says what must pass. */
  public enum StatusSource {
    QUEUE,
    BRANCH_PROTECTION,
    TEST_COMMAND
  }

  /** The last word on one status; the address is where to read more. */
  public record Check(String name, Optional<String> url, CheckState state) {}

  /** A pull request in a run. The address is empty where the forge gives none. */
  public record TestedPullRequest(int number, String url, String title) {}
}
