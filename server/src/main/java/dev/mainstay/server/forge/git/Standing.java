package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.Forge.Mergeability;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.List;
import java.util.Optional;

/**
 * How a head stands to a target branch, as git sees it; {@code merged} says that the branch holds
 * the head itself, {@code upToDate} that the head holds all of the branch. The other parts are
 * those of {@link dev.mainstay.server.forge.Forge.PullRequestView}.
 */
public record Standing(
    boolean merged,
    boolean upToDate,
    Mergeability mergeability,
    Optional<CommitSha> mergeBase,
    Optional<CommitSha> heldBy,
    boolean empty) {
  /** Of commits that are here. */
  static Standing of(GitCache cache, String head, Optional<String> target) {
    String own = cache.knownCommit(head).tree();
    Optional<String> base = target.flatMap(t -> cache.mergeBase(t, head));
    boolean merged = base.filter(head::equals).isPresent();
    boolean empty = base.filter(b -> cache.knownCommit(b).tree().equals(own)).isPresent();
    Optional<String> tree = target.flatMap(t -> cache.merges().tree(List.of(t, head), t, head));
    Optional<String> holder =
        target
            .filter(t -> merged || !empty)
            .filter(t -> tree.equals(Optional.of(cache.knownCommit(t).tree())));
    return new Standing(
        merged,
        base.isPresent() && base.equals(target),
        mergeability(target, tree),
        base.map(CommitSha::new),
        holder.map(CommitSha::new),
        empty && !merged);
  }

  private static Mergeability mergeability(Optional<String> target, Optional<String> tree) {
    if (target.isEmpty()) {
      return Mergeability.UNSPECIFIED;
    }
    return tree.isPresent() ? Mergeability.MERGEABLE : Mergeability.NOT_MERGEABLE;
  }
}
