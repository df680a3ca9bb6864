package dev.mainstay.server.forge.gitlab;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The place of a project: the address of the server, and the groups and the name as one path. */
record GitLabPlace(String server, String path) {
  private static final String PART = "[\\w.-]{1,255}?";
  private static final int MOST_PARTS = 21;
  private static final Pattern FORM =
      Pattern.compile(
          "(https?://[^/?#]+)/(%s(?:/%s){1,%d}?)(?:\\.git)?(?:/-/[^?#]*)?/*"
              .formatted(PART, PART, MOST_PARTS - 1));

  /** Throws where this is no address of a project, with a sentence for whoever gave it. */
  static GitLabPlace of(String address) {
    Matcher form = FORM.matcher(address);
    if (!form.matches() || Stream.of(form.group(2).split("/", -1)).anyMatch(GitLabPlace::isOdd)) {
      throw new IllegalArgumentException(
          "A project of GitLab has an address such as https://gitlab.com/group/subgroup/name.");
    }
    return new GitLabPlace(form.group(1), form.group(2));
  }

  private static boolean isOdd(String part) {
    return part.equals("-") || part.chars().allMatch(c -> c == '.');
  }

  boolean isGitLabCom() {
    return server.equals("https://gitlab.com");
  }

  String location() {
    return server + "/" + path;
  }

  /** The project in the API by its path, which leads to its number also after it was moved. */
  String byPath() {
    return "/projects/" + encoded(path);
  }

  /** A part of a path, such as a branch; slashes are part of it. */
  static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }

  @Override
  public String toString() {
    return location();
  }
}
