package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.PullRequestView;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.Remote;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a pull request of plain git as it stands now, by one fetch. */
record PullRequestReading(Remote remote, KnownMetas metas) {
  Optional<PullRequestView> read(PullRequestRef pr, String targetBranch) {
    var references = new ArrayList<>(remote.pulls().of(pr.number()));
    boolean validTarget = RefNames.isBranch(targetBranch);
    if (validTarget) {
      references.add(RefNames.branch(targetBranch));
    }
    remote.fetch(references);
    GitCache cache = remote.cache();
    metas.saw(pr.number(), cache.fetched("refs/pull/" + pr.number() + "/meta"));
    Optional<String> target =
        validTarget ? cache.fetched(RefNames.branch(targetBranch)) : Optional.empty();
    return cache
        .fetched(RefNames.head(pr.number()))
        .filter(head -> cache.commit(head).isPresent())
        .map(head -> view(pr, head, target, targetBranch));
  }

  private PullRequestView view(
      PullRequestRef pr, String head, Optional<String> target, String targetBranch) {
    Commit newest = remote.cache().knownCommit(head);
    PullRequestText text = metas.of(pr, newest, remote.cache());
    Standing standing = Standing.of(remote.cache(), head, target);
    Status open = text.draft() ? Status.DRAFT : Status.OPEN;
    return new PullRequestView(
        new CommitSha(head),
        text.title(),
        text.description(),
        name(newest.readable(newest.authorIdentity())),
        remote.address().pullRequestUrl(pr.number()),
        text.baseBranch().orElse(targetBranch),
        standing.merged() ? Status.MERGED : open,
        standing.mergeability(),
        standing.mergeBase(),
        List.of(),
        standing.heldBy(),
        standing.empty(),
        List.of(),
        Optional.empty());
  }

  private static String name(String identity) {
    String name = identity.substring(0, Math.max(0, identity.indexOf('<'))).strip();
    return name.isEmpty() ? identity : name;
  }
}
