package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.git.copy.Remote;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the heads of a landing are, by a listing. Hosts hide the references of pull requests from
 * pushes: a lease on them is always stale there.
 */
record HeadProof(Remote remote, Landing landing) {
  /** The heads as they are now, but for those that somebody else moved, and the first of these. */
  record Seen(Map<PullRequestRef, CommitSha> heads, Optional<PullRequestRef> moved) {}

  Seen look() {
    List<String> names =
        landing.heads().stream().map(h -> remote.pulls().head(h.pr().number())).toList();
    Map<String, String> listed = remote.list(names);
    Map<PullRequestRef, CommitSha> heads = new HashMap<>();
    Optional<PullRequestRef> moved = Optional.empty();
    for (Head head : landing.heads()) {
      String at = listed.getOrDefault(remote.pulls().head(head.pr().number()), "");
      if (at.equals(head.commit().value()) || isOurs(head, at)) {
        heads.put(head.pr(), new CommitSha(at));
      } else {
        moved = moved.or(() -> Optional.of(head.pr()));
      }
    }
    return new Seen(heads, moved);
  }

  /** A commit that an earlier call of this landing made of the head. */
  private boolean isOurs(Head head, String commit) {
    if (commit.isEmpty()) {
      return false;
    }
    remote.bring(List.of(commit), List.of(remote.pulls().head(head.pr().number())));
    return LandingMark.isOf(remote.cache(), commit, landing, head);
  }
}
