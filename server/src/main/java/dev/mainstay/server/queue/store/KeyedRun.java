package dev.mainstay.server.queue.store;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.core.code.RepoName;
import java.util.List;

/** A test command that is running, found by its key: all that its results may be about. */
public record KeyedRun(
    long organizationId,
    String organization,
    RepoName repo,
    String testBranch,
    CommitSha commit,
    List<PullRequestRef> tested) {
  public KeyedRun {
    tested = List.copyOf(tested);
  }
}
