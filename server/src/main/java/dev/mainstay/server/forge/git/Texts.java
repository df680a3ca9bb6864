package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What people wrote about pull requests: the commits that land are named after it. */
interface Texts {
  /** False where the references of the pull request must be fetched before {@link #of}. */
  boolean knows(int pullRequest);

  /** The references of those that were not known have been fetched. */
  void fetched(List<Head> heads, GitCache cache);

  PullRequestText of(PullRequestRef pr, Commit head, GitCache cache);

  default Map<Head, PullRequestText> of(List<Head> heads, GitCache cache) {
    Map<Head, PullRequestText> texts = new HashMap<>();
    for (Head head : heads) {
      texts.put(head, of(head.pr(), cache.knownCommit(head.commit().value()), cache));
    }
    return texts;
  }
}
