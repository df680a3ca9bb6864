package dev.mainstay.server.forge;

import dev.mainstay.core.code.CommitSha;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The names that git takes for branches and commits, so that no other ever reaches a command line.
 */
public final class RefNames {
  public static final String TEST_BRANCHES = "mainstay/";
  private static final int MAX_LENGTH = 400;
  private static final int MAX_PATH = 1000;

  /**
   * The length of a part between slashes: it is a file, which git locks by another with a longer
   * name.
   */
  private static final int MAX_PART_BYTES = 250;

  private static final Pattern FORBIDDEN =
      Pattern.compile("[\\p{Cntrl} ~^:?*\\[\\\\]|\\.\\.|@\\{|//|/\\.|\\.lock(/|$)|[/.]$");
  private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{40}|[0-9a-f]{64}");

  private RefNames() {}

  public static boolean isBranch(String name) {
    return !name.isEmpty()
        && name.length() <= MAX_LENGTH
        && !name.startsWith("-")
        && !name.startsWith("/")
        && !name.startsWith(".")
        && !name.equals("@")
        && !name.equals("HEAD")
        && !FORBIDDEN.matcher(name).find()
        && Stream.of(name.split("/", -1)).allMatch(RefNames::fits);
  }

  private static boolean fits(String part) {
    return part.getBytes(StandardCharsets.UTF_8).length <= MAX_PART_BYTES;
  }

  public static boolean isCommit(CommitSha commit) {
    return COMMIT.matcher(commit.value()).matches();
  }

  /** A path inside a repository, as git itself spells it. */
  public static boolean isPath(String path) {
    return path.length() <= MAX_PATH
        && path.codePoints().noneMatch(Character::isISOControl)
        && Stream.of(path.split("/", -1)).noneMatch(List.of("", ".", "..")::contains);
  }

  public static String branch(String name) {
    return "refs/heads/" + name;
  }

  public static String testBranch(String name) {
    if (!name.startsWith(TEST_BRANCHES) || !isBranch(name)) {
      throw new IllegalArgumentException("not the name of a test branch: " + name);
    }
    return branch(name);
  }

  public static String head(int pullRequest) {
    return "refs/pull/" + pullRequest + "/head";
  }
}
