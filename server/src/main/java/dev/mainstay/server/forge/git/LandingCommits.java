package dev.mainstay.server.forge.git;

import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.git.MergeChain.Broken;
import dev.mainstay.server.forge.git.MergeChain.Link;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the commits that heads become on a branch, by the queue's method, without pushing them. A
 * head that changes nothing adds none.
 */
record LandingCommits(
    GitCache cache, Method method, Map<Head, PullRequestText> texts, Stamp stamp) {
  private static final int MOST_AUTHORS = 1000;

  /** The commits of each head, or the head that does not merge. */
  record Made(List<Piece> pieces, Optional<Broken> broken) {
    String tip(String base) {
      return pieces.isEmpty() ? base : pieces.getLast().tip();
    }
  }

  /** A head, the commit and the tree that the branch ends in after it, and whether it has any. */
  record Piece(Head head, String tip, String tree, boolean adds) {}

  Made on(String base, List<Head> heads) {
    var chain = MergeChain.of(cache, base, heads, this::mergeCommit);
    if (chain.broken().isPresent()) {
      return new Made(List.of(), chain.broken());
    }
    return switch (method) {
      case MERGE_COMMIT ->
          new Made(
              chain.links().stream()
                  .map(l -> new Piece(l.head(), l.commit(), l.tree(), l.adds()))
                  .toList(),
              Optional.empty());
      case SQUASH -> squashed(base, chain);
      case REBASE -> rebased(base, chain);
    };
  }

  private Commit mergeCommit(Head head, String tree, List<String> parents) {
    String us = Commit.us(stamp.at(parents.getFirst(), head));
    return new Commit(tree, parents, us, us, List.of(stamp.mark(head)), message(head, List.of()));
  }

  private Made squashed(String base, MergeChain chain) {
    var pieces = new ArrayList<Piece>();
    var before = new ArrayList<>(List.of(base));
    String tip = base;
    for (Link link : chain.links()) {
      if (link.adds()) {
        tip = cache.write(squash(link, tip, before));
      }
      pieces.add(new Piece(link.head(), tip, link.tree(), link.adds()));
      before.add(link.head().commit().value());
    }
    return new Made(pieces, Optional.empty());
  }

  private Commit squash(Link link, String parent, List<String> before) {
    String head = link.head().commit().value();
    Commit newest = cache.knownCommit(head);
    String author = newest.readable(newest.authorIdentity());
    var others = new LinkedHashSet<String>();
    for (String sha : cache.ownCommits(head, before, MOST_AUTHORS)) {
      Commit commit = cache.knownCommit(sha);
      others.add(commit.readable(commit.authorIdentity()));
    }
    others.remove(author);
    return new Commit(
        link.tree(),
        List.of(parent),
        Commit.bytes(author) + " " + newest.authorTime(),
        Commit.us(stamp.at(parent, link.head())),
        List.of(stamp.mark(link.head())),
        message(link.head(), others.stream().map(a -> "Co-authored-by: " + a).toList()));
  }

  private Made rebased(String base, MergeChain chain) {
    var pieces = new ArrayList<Piece>();
    var before = new ArrayList<>(List.of(base));
    String tip = base;
    for (Link link : chain.links()) {
      Optional<String> replayed =
          new Rebase(cache, stamp.at(tip, link.head()), stamp.mark(link.head()))
              .onto(tip, link.head().commit().value(), before);
      // Commits that, one by one, end elsewhere than the merge are not the same change.
      if (replayed.filter(r -> cache.knownCommit(r).tree().equals(link.tree())).isEmpty()) {
        boolean withBase = pieces.stream().noneMatch(Piece::adds);
        return new Made(List.of(), Optional.of(new Broken(link.head(), withBase)));
      }
      tip = link.adds() ? replayed.get() : tip;
      pieces.add(new Piece(link.head(), tip, link.tree(), link.adds()));
      before.add(link.head().commit().value());
    }
    return new Made(pieces, Optional.empty());
  }

  private String message(Head head, List<String> trailers) {
    PullRequestText text = texts.get(head);
    if (text == null) {
      throw new IllegalStateException("nothing is known about " + head.pr());
    }
    var message = new StringBuilder(text.landingTitle(head.pr().number())).append('\n');
    String body = text.landingBody();
    if (!body.isEmpty()) {
      message.append('\n').append(body).append('\n');
    }
    List<String> missing = trailers.stream().filter(t -> !body.contains(t)).toList();
    if (!missing.isEmpty()) {
      message.append('\n').append(String.join("\n", missing)).append('\n');
    }
    return Commit.bytes(message.toString());
  }
}
