package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.queue.QueueState;
import dev.mainstay.core.queue.RunId;
import java.util.Map;
import java.util.Optional;

/**
 * A queue as it is stored at one version: its state, and facts beside it about its open entries.
 */
public record OpenQueue(
    long id,
    long repositoryId,
    String slug,
    long version,
    QueueState state,
    Map<PullRequestRef, Beside> beside) {

  /** Facts about an open entry that are of no interest to the engine. */
  public record Beside(Caption about, boolean usedDefaultPriority) {
    static final Beside NOTHING = new Beside(Caption.NOTHING, true);
  }

  /** The same queue under the next version. */
  public OpenQueue nextVersion() {
    return new OpenQueue(id, repositoryId, slug, version + 1, state, beside);
  }

  public Beside beside(PullRequestRef pr) {
    return beside.getOrDefault(pr, Beside.NOTHING);
  }

  /** The public name of a number of this queue: no other queue ever gives the same. */
  public String publicId(long number) {
    return slug + "-" + number;
  }

  public Optional<RunId> runId(String publicId) {
    return number(slug, publicId).map(RunId::new);
  }

  /** The branch that a run of this queue is tested on. */
  public String testBranch(RunId run) {
    return "mainstay/%s/%s".formatted(state.target().branch(), publicId(run.number()));
  }

  private static Optional<Long> number(String slug, String publicId) {
    return publicId.startsWith(slug + "-")
            && publicId.substring(slug.length() + 1).matches("[1-9][0-9]{0,17}")
        ? Optional.of(Long.parseLong(publicId.substring(slug.length() + 1)))
        : Optional.empty();
  }
}
