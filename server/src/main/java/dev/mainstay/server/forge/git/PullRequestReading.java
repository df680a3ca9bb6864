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
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads pull requests of plain git as they stand now, many by one fetch. */
record PullRequestReading(Remote remote, KnownMetas metas) {
  private static final int MOST_AT_ONCE = 200;

  Optional<PullRequestView> read(PullRequestRef pr, String targetBranch) {
    return Optional.ofNullable(readAll(Set.of(pr), targetBranch).get(pr));
  }

  /** Those of them that are there. */
  Map<PullRequestRef, PullRequestView> readAll(Set<PullRequestRef> prs, String targetBranch) {
    var views = new HashMap<PullRequestRef, PullRequestView>();
    List<PullRequestRef> all = List.copyOf(prs);
    for (int i = 0; i < all.size(); i += MOST_AT_ONCE) {
      read(all.subList(i, Math.min(all.size(), i + MOST_AT_ONCE)), targetBranch, views);
    }
    return views;
  }

  private void read(
      List<PullRequestRef> prs, String targetBranch, Map<PullRequestRef, PullRequestView> views) {
    Optional<String> branch =
        RefNames.isBranch(targetBranch)
            ? Optional.of(RefNames.branch(targetBranch))
            : Optional.empty();
    var references = new ArrayList<String>();
    prs.forEach(pr -> references.addAll(remote.pulls().of(pr.number())));
    branch.ifPresent(references::add);
    remote.fetch(references);
    GitCache cache = remote.cache();
    Optional<String> target = branch.flatMap(cache::fetched);
    var heads = new LinkedHashMap<PullRequestRef, String>();
    for (PullRequestRef pr : prs) {
      metas.saw(pr.number(), cache.fetched("refs/pull/" + pr.number() + "/meta"));
      cache.fetched(RefNames.head(pr.number())).ifPresent(head -> heads.put(pr, head));
    }
    cache.readAhead(heads.values());
    heads.forEach(
        (pr, head) -> {
          if (cache.commit(head).isPresent()) {
            views.put(pr, view(pr, head, target, targetBranch));
          }
        });
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
