package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.GitRepository.LandingFault;
import dev.mainstay.server.forge.git.MergeChain.Link;
import dev.mainstay.server.forge.git.copy.Commit;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes the commits that a landing adds to the target branch, without pushing them. */
record LandingCommits(GitCache cache, Landing landing, Map<Head, PullRequestText> texts) {
  private static final String MOST_AUTHORS = "--max-count=1000";

  /** The commits, or why there are none. */
  record Made(List<Landed> landed, Optional<LandingFault> fault) {
    static Made not(LandingFault fault) {
      return new Made(List.of(), Optional.of(fault));
    }
  }

  Made make() {
    var chain = MergeChain.of(cache, landing.onto().value(), landing.heads(), this::mergeCommit);
    if (chain.broken().isPresent()) {
      return Made.not(new LandingFault.Conflict(chain.broken().get().head().pr()));
    }
    if (landing.exactTree() && !isTested(chain.links().getLast().tree())) {
      return Made.not(new LandingFault.TreeDiffered());
    }
    return switch (landing.method()) {
      case MERGE_COMMIT ->
          new Made(chain.links().stream().map(LandingCommits::landed).toList(), Optional.empty());
      case SQUASH -> squashed(chain);
      case REBASE -> rebased(chain);
    };
  }

  private boolean isTested(String tree) {
    return landing
        .tested()
        .flatMap(t -> cache.commit(t.value()))
        .filter(c -> c.tree().equals(tree))
        .isPresent();
  }

  private static Landed landed(Link link) {
    return new Landed(link.head().pr(), new CommitSha(link.commit()));
  }

  private Commit mergeCommit(Head head, String tree, List<String> parents) {
    return new Commit(
        tree,
        parents,
        Commit.us(landing.at()),
        Commit.us(landing.at()),
        List.of(LandingMark.header(landing, head)),
        message(head, List.of()));
  }

  private Made squashed(MergeChain chain) {
    var landed = new ArrayList<Landed>();
    var before = new ArrayList<>(List.of(landing.onto().value()));
    String tip = landing.onto().value();
    for (Link link : chain.links()) {
      tip = cache.write(squash(link, tip, before));
      landed.add(new Landed(link.head().pr(), new CommitSha(tip)));
      before.add(link.head().commit().value());
    }
    return new Made(landed, Optional.empty());
  }

  private Commit squash(Link link, String parent, List<String> before) {
    String head = link.head().commit().value();
    Commit newest = cache.knownCommit(head);
    String author = newest.readable(newest.authorIdentity());
    var others = new LinkedHashSet<String>();
    for (String sha : cache.commits(head, before, List.of("--no-merges", MOST_AUTHORS))) {
      Commit commit = cache.knownCommit(sha);
      others.add(commit.readable(commit.authorIdentity()));
    }
    others.remove(author);
    return new Commit(
        link.tree(),
        List.of(parent),
        Commit.bytes(author) + " " + newest.authorTime(),
        Commit.us(landing.at()),
        List.of(LandingMark.header(landing, link.head())),
        message(link.head(), others.stream().map(a -> "Co-authored-by: " + a).toList()));
  }

  private Made rebased(MergeChain chain) {
    var landed = new ArrayList<Landed>();
    var before = new ArrayList<>(List.of(landing.onto().value()));
    String tip = landing.onto().value();
    for (Link link : chain.links()) {
      Optional<String> replayed =
          new Rebase(cache, landing.at(), LandingMark.header(landing, link.head()))
              .onto(tip, link.head().commit().value(), before);
      // Commits that, one by one, end elsewhere than the merge that was tested are not the same.
      if (replayed.filter(r -> cache.knownCommit(r).tree().equals(link.tree())).isEmpty()) {
        return Made.not(new LandingFault.Conflict(link.head().pr()));
      }
      tip = replayed.get();
      landed.add(new Landed(link.head().pr(), new CommitSha(tip)));
      before.add(link.head().commit().value());
    }
    return new Made(landed, Optional.empty());
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
