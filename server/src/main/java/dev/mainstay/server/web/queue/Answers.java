package dev.mainstay.server.web.queue;

import dev.mainstay.server.web.page.Output;
import dev.mainstay.server.web.page.Repo;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Answers of the API about queues, as far as pages show them. */
public final class Answers {
  private Answers() {}

  public record Queue(
      String state,
      String branch,
      String mode,
      Optional<String> nextMode,
      int concurrency,
      boolean batch,
      int batchingMinSize,
      String mergeMethod,
      boolean canOptimisticallyMerge,
      List<String> warnings,
      Optional<Stalled> stalled,
      Optional<List<PullRequest>> enqueuedPullRequests) {
    public List<PullRequest> entries() {
      return enqueuedPullRequests.orElse(List.of());
    }
  }

  /** An endpoint for events, as far as admins are warned of it. */
  public record Endpoint(
      String id,
      String name,
      String url,
      Optional<String> switchedOffAt,
      Optional<String> switchedOffReason) {
    public String title() {
      return name.isEmpty() ? url : name;
    }
  }

  public record Endpoints(List<Endpoint> webhooks) {}

  public record Stalled(String since, String message) {}

  public record Reason(String code, String message) {}

  public record Readiness(List<String> waitingFor) {}

  public record Landed(String sha, String how) {}

  public record PullRequest(
      String id,
      String state,
      String stateChangedAt,
      int priorityValue,
      String priorityName,
      boolean noBatch,
      boolean isCurrentlySubmittedToQueue,
      int prNumber,
      String prTitle,
      String prSha,
      String prBaseBranch,
      String prAuthor,
      Readiness readiness,
      Reason reason,
      Optional<Integer> position,
      Optional<String> testRunId,
      List<Integer> waitsFor,
      Optional<Landed> landed,
      Optional<String> submittedAt,
      Optional<String> endedAt,
      Optional<String> url,
      @Nullable JsonNode impactedTargets,
      Optional<Chance> chance,
      Optional<Expected> expected) {
    public String title() {
      return prTitle.isEmpty() ? "Pull request " + prNumber : prTitle;
    }

    /** The names of its targets, as one text; empty where nobody has said them. */
    public String targets() {
      if (impactedTargets == null) {
        return "";
      }
      return impactedTargets.isArray()
          ? String.join(", ", impactedTargets.valueStream().map(JsonNode::asString).toList())
          : "everything";
    }
  }

  /** How likely it is to pass, and what that hangs on. */
  public record Chance(double passes, List<Driver> drivenBy) {
    public String percent() {
      return Math.round(100 * passes) + " %";
    }
  }

  public record Driver(String trait, String value, double moves) {
    public String words() {
      return "%s %s: %+d".formatted(trait.replace('_', ' '), value, Math.round(100 * moves));
    }
  }

  public record Expected(String likelyBy, String lateBy) {}

  public record Check(String name, String url, String state) {}

  public record Missing(String name, String since) {}

  public record Tested(int prNumber, String prUrl, String title) {}

  /** Pull requests ahead, by their numbers: those that a run holds, and those it leaves out. */
  public record Assumption(List<Integer> lands, List<Integer> leaves) {}

  public record TestRun(
      String testRunId,
      String status,
      String kind,
      String testBranch,
      String testBranchSha,
      String baseSha,
      String createdAt,
      Optional<String> endedAt,
      List<String> requiredStatuses,
      List<Missing> missingStatuses,
      List<Check> checks,
      List<Tested> testedPullRequests,
      List<Tested> dependentPrs,
      Assumption assumes,
      @Nullable JsonNode impactedTargets) {
    /** The names of the targets that it touches; none where it touches everything. */
    public List<String> targets() {
      return impactedTargets == null || !impactedTargets.isArray()
          ? List.of()
          : impactedTargets.valueStream().map(JsonNode::asString).toList();
    }

    public long done() {
      return checks.stream().filter(c -> !c.state().equals("PENDING")).count();
    }

    public int expected() {
      return Math.max(checks.size(), requiredStatuses.size());
    }
  }

  public record TestRuns(List<TestRun> testRuns) {}

  public record FailedTest(
      String testId,
      String name,
      String classname,
      String file,
      String message,
      boolean quarantined,
      Optional<String> status) {}

  public record RunLog(
      String status, boolean complete, String output, List<FailedTest> failedTests) {
    public RunLog {
      output = Output.readable(output);
    }
  }

  public record Transition(String at, String state, Reason reason, Optional<String> testRunId) {}

  public record Submission(
      String id,
      String submittedAt,
      Optional<String> endedAt,
      String state,
      Reason reason,
      List<Transition> transitions,
      List<String> testRunIds) {}

  public record Story(PullRequest pullRequest, List<Submission> submissions) {}

  public record Listed(
      Repo repo, int enqueuedCount, String state, String branch, String mode, int concurrency) {}

  public record Queues(List<Listed> queues, Optional<String> nextCursor) {}

  public record PullRequests(List<PullRequest> pullRequests, Optional<String> nextCursor) {}
}
