package dev.mainstay.server.queue;

import java.util.List;
import java.util.Optional;

/** The answers to requests about queues, pull requests and test runs. */
public final class Outcomes {
  private Outcomes() {}

  public sealed interface Create {}

  public sealed interface Update {}

  public sealed interface Delete {}

  public sealed interface Submit {}

  public sealed interface Cancel {}

  public sealed interface Restart {}

  public sealed interface Show {}

  public sealed interface Tell {}

  public sealed interface SetTargets {}

  public sealed interface SetForkTargets {}

  public sealed interface Testing {}

  public sealed interface ListHistory {}

  public sealed interface Report {}

  public sealed interface Health {}

  public record NoSuchQueue()
      implements Update,
          Delete,
          Submit,
          Cancel,
          Restart,
          Show,
          Tell,
          SetTargets,
          SetForkTargets,
          Testing,
          ListHistory,
          Report,
          Health {}

  /** The forge says that there is no pull request of this number. */
  public record NoSuchPullRequest() implements Submit, SetTargets {}

  /** The queue has no entry for the pull request, and never had one. */
  public record NeverSubmitted() implements Cancel, Restart, Show, Tell, Testing {}

  public record Created(QueueView queue) implements Create {}

  public record QueueExists() implements Create {}

  public record Updated(QueueView queue) implements Update {}

  public record Deleted() implements Delete {}

  /** A queue with open entries, which is not deleted. */
  public record NotEmpty(List<PullRequestView> pullRequests) implements Delete {}

  public record Submitted(PullRequestView pullRequest) implements Submit {}

  /** An entry that is out of the queue, or will be unless the merge under way merges it. */
  public record Cancelled(PullRequestView pullRequest) implements Cancel {}

  /** An entry that has merged or failed. */
  public record AlreadyEnded(PullRequestView pullRequest) implements Cancel {}

  public record Restarted(PullRequestView pullRequest) implements Restart {}

  /** An entry that is not let in, or has ended. */
  public record NotTested(PullRequestView pullRequest) implements Restart {}

  /** An entry whose merge is under way. */
  public record BeingMerged(PullRequestView pullRequest) implements Restart {}

  public record Shown(PullRequestView pullRequest) implements Show {}

  public record Told(PullRequestStory story) implements Tell {}

  public record TargetsSet() implements SetTargets, SetForkTargets {}

  /** No connection knows a run that would prove it. */
  public record Unproven() implements SetForkTargets {}

  /** So many runs were looked up for this repository that others wait. */
  public record TooManyRuns() implements SetForkTargets {}

  /** No head was named, and without a forge nothing else says which it is. */
  public record HeadUnknown() implements SetTargets {}

  /** The runs in progress, in the order they began; or the one run that was asked for. */
  public record RunsFound(List<TestRunView> runs) implements Testing {}

  public record NoSuchRun() implements Testing, Report {}

  /** A page of entries, the newest submission first. */
  public record Page(List<PullRequestView> pullRequests, Optional<String> nextCursor)
      implements ListHistory {}

  public record BadCursor() implements ListHistory {}

  public record HealthShown(QueueHealth health) implements Health {}

  /** A time that is none, or has more steps than these. */
  public record BadWindow(int mostSteps) implements Health {}

  public record Reported() implements Report {}

  /** The commit has so many statuses already. */
  public record TooManyStatuses(int most) implements Report {}
}
