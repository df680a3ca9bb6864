package dev.mainstay.server.report;

import java.util.regex.Pattern;

/**
 * Paths of sources as parts of a test's identity. Some reporters write where the checkout was; what
 * is known of the workspaces of CI systems is cut off, so that another machine means the same test.
 */
public final class SourcePaths {
  private static final int LONGEST = 4000;

  /** Workspaces: GitHub, GitLab, Jenkins, Azure, CircleCI, Buildkite, TeamCity, Bitbucket. */
  private static final Pattern WORKSPACE =
      Pattern.compile(
          "^(?:[A-Za-z]:)?(?:"
              + "/home/runner/work/[^/]+/[^/]+"
              + "|/Users/runner/work/[^/]+/[^/]+"
              + "|/__w/[^/]+/[^/]+"
              + "|/a/[^/]+/[^/]+"
              + "|/github/workspace"
              + "|/builds/[^/]+/[^/]+"
              + "|(?:/[^/]+){0,6}/workspace/[^/]+"
              + "|(?:/[^/]+){0,4}/_?work/\\d+/s"
              + "|/home/circleci/project"
              + "|(?:/[^/]+){0,4}/buildkite-agent/builds/[^/]+/[^/]+/[^/]+"
              + "|(?:/[^/]+){0,4}/[bB]uild[aA]gent/work/[^/]+"
              + "|/opt/atlassian/pipelines/agent/build"
              + ")/");

  private SourcePaths() {}

  public static String of(String path) {
    if (path.length() > LONGEST) {
      return path;
    }
    String plain = path.startsWith("file://") ? path.substring("file://".length()) : path;
    plain = plain.indexOf('\\') < 0 ? plain : plain.replace('\\', '/');
    plain = WORKSPACE.matcher(plain).replaceFirst("");
    while (plain.startsWith("./")) {
      plain = plain.substring(2);
    }
    return plain;
  }

  /** A place for people: with its line where there is one. */
  public static String at(String path, int line) {
    return path.isEmpty() ? "" : line > 0 ? "at " + path + ":" + line : "at " + path;
  }
}
