package dev.mainstay.server.forge.git;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.How;
import dev.mainstay.server.forge.GitRepository.Landed;
import dev.mainstay.server.forge.GitRepository.Landing;
import dev.mainstay.server.forge.git.copy.Commit;
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

  /** The mark of what is tested, and lands if it passes. */
  static String header(Head head) {
    return HEADER + " " + value(head);
  }

  static String value(Head head) {
    return head.pr() + " " + head.commit();
  }

  /** The head that a commit was made of to be tested. */
  static Optional<String> tested(Commit commit) {
    return commit.header(HEADER).filter(mark -> mark.startsWith("#"));
  }

  /** True for a commit that was made of this head, for this landing or for its test. */
  static boolean isOf(GitCache cache, String commit, Landing landing, Head head) {
    return cache
        .commit(commit)
        .flatMap(c -> c.header(HEADER))
        .filter(m -> m.equals(value(head)) || m.equals(value(landing, head)))
        .isPresent();
  }

  private static String value(Landing landing, Head head) {
    String id = landing.id().replaceAll("[^A-Za-z0-9._:/@-]", "_");
    return id + " " + landing.at().getEpochSecond() + " " + head.pr() + " " + head.commit();
  }

  /**
   * The pull requests of this landing, where an earlier call has landed it: all of them, since it
   * is one push. Marks of what is tested count where the tested commit itself is there.
   */
  static Optional<List<Landed>> find(GitCache cache, Landing landing, String targetHead) {
    String onto = landing.onto().value();
    List<String> commits =
        cache.commits(targetHead, List.of(onto), List.of("--first-parent", MOST_COMMITS));
    Optional<String> tested = landing.tested().map(CommitSha::value).filter(commits::contains);
    Map<String, Head> marks = new HashMap<>();
    for (Head head : landing.heads()) {
      marks.put(tested.isPresent() ? value(head) : value(landing, head), head);
    }
    Map<Head, String> found = new HashMap<>();
    for (String sha : commits) {
      cache
          .commit(sha)
          .flatMap(c -> c.header(HEADER))
          .map(marks::get)
          .ifPresent(head -> found.put(head, sha));
    }
    How how = tested.isPresent() ? How.TESTED_COMMIT : How.REBUILT;
    return found.isEmpty() ? Optional.empty() : Optional.of(inOrder(landing, found, how));
  }

  /** A pull request that added nothing has no commit: the branch then ended where it was. */
  static List<Landed> inOrder(Landing landing, Map<Head, String> found, How how) {
    var landed = new ArrayList<Landed>();
    String tip = landing.onto().value();
    for (Head head : landing.heads()) {
      boolean adds = found.containsKey(head);
      tip = found.getOrDefault(head, tip);
      landed.add(new Landed(head.pr(), new CommitSha(tip), adds ? how : How.ALREADY_THERE));
    }
    return landed;
  }
}
