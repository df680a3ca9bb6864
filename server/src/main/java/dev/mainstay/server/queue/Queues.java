package dev.mainstay.server.queue;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.queue.CheckState;
import dev.mainstay.core.queue.ImpactedTargets;
import dev.mainstay.core.queue.Priority;
import dev.mainstay.core.queue.PullRequestState;
import dev.mainstay.core.queue.QueueLifecycle;
import dev.mainstay.core.queue.QueueSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Everything users do with merge queues. What may happen is in {@link Outcomes}. */
@SuppressWarnings("DoNotCallSuggester")
public final class Queues {
  /** Makes a queue, and its repository where that is the first word of it. */
  public Outcomes.Create create(QueueName name, QueueSettings settings) {
    throw new UnsupportedOperationException();
  }

  /** The queue with everybody in it. */
  public Optional<QueueView> find(QueueName name) {
    throw new UnsupportedOperationException();
  }

  /**
   * Changes settings as the edit says, then the lifecycle. What the edit throws is thrown on, and
   * nothing has changed then: {@link QueueSettings.InvalidSettings} above all.
   */
  public Outcomes.Update update(
      QueueName name, UnaryOperator<QueueSettings> edit, Optional<QueueLifecycle> lifecycle) {
    throw new UnsupportedOperationException();
  }

  public Outcomes.Delete delete(QueueName name) {
    throw new UnsupportedOperationException();
  }

  /** No priority is the default one, or the one it has where it is in the queue already. */
  public Outcomes.Submit submit(
      QueueName name, PullRequestRef pr, Optional<Priority> priority, Optional<Boolean> noBatch) {
    throw new UnsupportedOperationException();
  }

  public Outcomes.Cancel cancel(QueueName name, PullRequestRef pr) {
    throw new UnsupportedOperationException();
  }

  public Outcomes.Restart restart(QueueName name, PullRequestRef pr) {
    throw new UnsupportedOperationException();
  }

  /** The newest submission of a pull request, also after its end. */
  public Outcomes.Show pullRequest(QueueName name, PullRequestRef pr) {
    throw new UnsupportedOperationException();
  }

  /** Without a head, for the one the forge shows now. */
  public Outcomes.SetTargets setImpactedTargets(
      QueueName name, PullRequestRef pr, Optional<CommitSha> head, ImpactedTargets targets) {
    throw new UnsupportedOperationException();
  }

  /** Runs in progress; with an id, that run, also when it is over; with a number, its last run. */
  public Outcomes.Testing testingDetails(
      QueueName name, Optional<String> testRunId, Optional<PullRequestRef> pr) {
    throw new UnsupportedOperationException();
  }

  /** What the test command of a run printed, the last of it; empty where none has run. */
  public Optional<String> testOutput(QueueName name, String testRunId) {
    throw new UnsupportedOperationException();
  }

  /** Every submission there was, newest first; {@code since} is about the last change of state. */
  public Outcomes.History history(
      QueueName name,
      Optional<PullRequestState> state,
      Optional<Instant> since,
      Optional<String> cursor,
      int take) {
    throw new UnsupportedOperationException();
  }

  public Outcomes.Report reportTestStatus(
      QueueName name, String testRunId, String check, CheckState state, Optional<String> url) {
    throw new UnsupportedOperationException();
  }

  public Outcomes.Report reportTestStatus(
      QueueName name,
      CommitSha testBranchSha,
      String check,
      CheckState state,
      Optional<String> url) {
    throw new UnsupportedOperationException();
  }

  /** Of all queues of an organization, or of one repository; empty where that is not known. */
  public Optional<List<QueueNumbers>> numbers(long organizationId, Optional<RepoName> repo) {
    throw new UnsupportedOperationException();
  }

  /** Connects a repository, or changes how it is connected; asks the address whether it answers. */
  public Outcomes.Connect connect(
      long organizationId,
      RepoName repo,
      String address,
      Optional<String> testCommand,
      Duration testTimeout) {
    throw new UnsupportedOperationException();
  }

  /** False where it was not connected. */
  public boolean disconnect(long organizationId, RepoName repo) {
    throw new UnsupportedOperationException();
  }

  public Optional<ConnectionView> connection(long organizationId, RepoName repo) {
    throw new UnsupportedOperationException();
  }

  /** Something moved in the repository that this token is for; false where there is none. */
  public boolean hook(String token) {
    throw new UnsupportedOperationException();
  }

  /** The same, by a key of the organization. */
  public boolean hook(long organizationId, RepoName repo) {
    throw new UnsupportedOperationException();
  }
}
