package dev.mainstay.core.queue.rules;

import dev.mainstay.core.code.PullRequestRef;
import java.util.Collection;
import java.util.List;

/** The names of pull requests in a sentence. */
final class PullRequestNames {
  private static final int MOST = 5;

  private PullRequestNames() {}

  /** {@code #1}, {@code #1 and #2}, or the first few {@code and 7 others}. */
  static String list(Collection<PullRequestRef> prs) {
    List<String> names = prs.stream().limit(MOST).map(PullRequestRef::toString).toList();
    int others = prs.size() - names.size();
    if (others > 0) {
      return String.join(", ", names) + " and " + others + (others == 1 ? " other" : " others");
    }
    if (names.size() < 2) {
      return String.join("", names);
    }
    return String.join(", ", names.subList(0, names.size() - 1)) + " and " + names.getLast();
  }
}
