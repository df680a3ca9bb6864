package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.git.copy.GitCache;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A header in every commit that we land, which nobody sees who does not look for it: of which
 * landing it is, and of which head. By it a landing whose answer was lost is found again, by any
 * node, whatever happened to the pull request since.
 */
final class LandingMark {
  private static final String HEADER = "mainstay-landing";
  private static final String MOST_COMMITS = "--max-count=10000";

  private LandingMark() {}

  static String header(Landing landing, Head head) {
    return HEADER + " " + value(landing, head);
  }

  private static String value(Landing landing, Head head) {
    String id = landing.id().replaceAll("[^A-Za-z0-9._:/@-]", "_");
    return id + " " + landing.at().getEpochSecond() + " " + head.pr() + " " + head.commit();
  }

  /**
   * The pull requests of this landing, where an earlier call has landed it: all of them, since it
   * is one push.
   */
  static Optional<List<Landed>> find(GitCache cache, Landing landing, String targetHead) {
    Map<String, Head> marks = new HashMap<>();
    landing.heads().forEach(head -> marks.put(value(landing, head), head));
    Map<Head, String> found = new HashMap<>();
    String onto = landing.onto().value();
    for (String sha :
        cache.commits(targetHead, List.of(onto), List.of("--first-parent", MOST_COMMITS))) {
      cache
          .commit(sha)
          .flatMap(c -> c.header(HEADER))
          .map(marks::get)
          .ifPresent(head -> found.put(head, sha));
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(inOrder(landing, found));
  }

  /** A pull request that added nothing has no commit: the branch then ended where it was. */
  private static List<Landed> inOrder(Landing landing, Map<Head, String> found) {
    var landed = new ArrayList<Landed>();
    String tip = landing.onto().value();
    for (Head head : landing.heads()) {
      tip = found.getOrDefault(head, tip);
      landed.add(new Landed(head.pr(), new CommitSha(tip)));
    }
    return landed;
  }
}
