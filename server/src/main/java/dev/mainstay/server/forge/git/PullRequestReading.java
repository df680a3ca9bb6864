package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Mergeability;
import dev.mainstay.server.forge.Forge.PullRequestView;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import dev.mainstay.server.forge.git.copy.Remote;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads a pull request as it stands now, by one fetch. */
record PullRequestReading(Remote remote, KnownMetas metas) {
  Optional<PullRequestView> read(PullRequestRef pr, String targetBranch) {
    var references = new ArrayList<>(Remote.pullRequest(pr.number()));
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
        .filter(cache::has)
        .map(head -> view(pr, head, target, targetBranch));
  }

  PullRequestText text(PullRequestRef pr, Commit head) {
    return PullRequestText.of(
        head, metas.meta(pr.number()).flatMap(m -> m).flatMap(remote.cache()::commit));
  }

  Map<Head, PullRequestText> texts(List<Head> heads) {
    Map<Head, PullRequestText> texts = new HashMap<>();
    for (Head head : heads) {
      texts.put(head, text(head.pr(), remote.cache().knownCommit(head.commit().value())));
    }
    return texts;
  }

  private PullRequestView view(
      PullRequestRef pr, String head, Optional<String> target, String targetBranch) {
    Commit newest = remote.cache().knownCommit(head);
    PullRequestText text = text(pr, newest);
    Optional<String> base = target.flatMap(t -> remote.cache().mergeBase(t, head));
    boolean merged = base.filter(head::equals).isPresent();
    boolean empty =
        base.filter(b -> remote.cache().knownCommit(b).tree().equals(newest.tree())).isPresent();
    Optional<String> tree = target.flatMap(t -> merged(t, head));
    Optional<String> holder =
        target
            .filter(t -> merged || !empty)
            .filter(t -> tree.equals(Optional.of(remote.cache().knownCommit(t).tree())));
    Status open = text.draft() ? Status.DRAFT : Status.OPEN;
    return new PullRequestView(
        new CommitSha(head),
        text.title(),
        text.description(),
        name(newest.readable(newest.authorIdentity())),
        remote.address().pullRequestUrl(pr.number()),
        text.baseBranch().orElse(targetBranch),
        merged ? Status.MERGED : open,
        mergeability(target, tree),
        base.map(CommitSha::new),
        List.of(),
        holder.map(CommitSha::new),
        empty && !merged);
  }

  private Optional<String> merged(String target, String head) {
    return remote.cache().merges().tree(List.of(target, head), target, head);
  }

  private static Mergeability mergeability(Optional<String> target, Optional<String> tree) {
    if (target.isEmpty()) {
      return Mergeability.UNSPECIFIED;
    }
    return tree.isPresent() ? Mergeability.MERGEABLE : Mergeability.NOT_MERGEABLE;
  }

  private static String name(String identity) {
    String name = identity.substring(0, Math.max(0, identity.indexOf('<'))).strip();
    return name.isEmpty() ? identity : name;
  }
}
