package dev.mainstay.core.health;

import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells the class of a branch. The branches of merge queues come first, since a queue tests pull
 * requests; then what is known to be a pull request; then the repository's stable branches.
 */
public final class Branches {
  /** The names that merge queues give their test branches. */
  private static final List<Glob> QUEUES =
      List.of(
              "mainstay/*",
              "mainstay-queue/*",
              "gh-readonly-queue/*",
              "refs/merge-requests/*/train",
              "trunk-merge/*",
              "trunk-temp/*",
              "mergify/merge-queue/*",
              "mq-tmp-*",
              "gtmq_*",
              "graphite-merge-queue/*",
              "bors/*",
              "staging.tmp",
              "automation/bors/*",
              "queue/*/*")
          .stream()
          .map(Glob::new)
          .toList();

  private static final Pattern PULL_REQUEST =
      Pattern.compile(
          "(?:refs/(?:remotes/)?)?(?:pull|pull-requests|merge-requests)/(\\d{1,9})(?:/(?:head|merge|from|train))?"
              + "|(\\d{1,9})/(?:merge|head)"
              + "|(?:refs/heads/)?(?:gh-readonly-queue/.+/pr-(\\d{1,9})-[0-9a-f]+|trunk-merge/pr-(\\d{1,9})/.+)"
              + "|PR-(\\d{1,9})(?:-head|-merge)?");

  private static final List<String> PREFIXES = List.of("refs/heads/", "refs/remotes/origin/");

  private Branches() {}

  /** The class of a branch; {@code hasPullRequest} says that the upload names a pull request. */
  public static BranchClass classify(
      String branch, boolean hasPullRequest, List<Glob> stableBranches) {
    String name = shortName(branch);
    if (QUEUES.stream().anyMatch(glob -> glob.matches(name))) {
      return BranchClass.MERGE_QUEUE;
    }
    if (hasPullRequest || pullRequestOf(branch).isPresent()) {
      return BranchClass.PULL_REQUEST;
    }
    return stableBranches.stream().anyMatch(glob -> glob.matches(name))
        ? BranchClass.STABLE
        : BranchClass.OTHER;
  }

  /**
   * The pull request a branch name itself gives away, such as {@code refs/pull/7/merge}; of the
   * branch of a merge queue, the last that it holds.
   */
  public static OptionalInt pullRequestOf(String branch) {
    Matcher matcher = PULL_REQUEST.matcher(branch);
    if (!matcher.matches()) {
      return OptionalInt.empty();
    }
    for (int group = 1; group <= matcher.groupCount(); group++) {
      if (matcher.group(group) != null && !matcher.group(group).matches("0+")) {
        return OptionalInt.of(Integer.parseInt(matcher.group(group)));
      }
    }
    return OptionalInt.empty();
  }

  public static String shortName(String branch) {
    for (String prefix : PREFIXES) {
      if (branch.startsWith(prefix)) {
        return branch.substring(prefix.length());
      }
    }
    return branch;
  }
}
