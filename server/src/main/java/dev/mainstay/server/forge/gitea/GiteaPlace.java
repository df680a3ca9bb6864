package dev.mainstay.server.forge.gitea;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The place of a repository: the address of the server, which may be below a path of its host, the
 * owner and the name.
 */
record GiteaPlace(String server, String owner, String name) {
  private static final Pattern FORM =
      Pattern.compile(
          "(https?://[^/?#]+(?:/[\\w.~-]+)*)/([\\w.-]{1,100})/([\\w.-]{1,100}?)(?:\\.git)?/*");

  /** Throws where this is no address of a repository, with a sentence for whoever gave it. */
  static GiteaPlace of(String address) {
    Matcher form = FORM.matcher(address);
    if (!form.matches() || isDots(form.group(2)) || isDots(form.group(3))) {
      throw new IllegalArgumentException(
          "A repository of Gitea has an address such as https://git.example.org/owner/name.");
    }
    return new GiteaPlace(form.group(1), form.group(2), form.group(3));
  }

  private static boolean isDots(String part) {
    return part.chars().allMatch(c -> c == '.');
  }

  String location() {
    return server + "/" + owner + "/" + name;
  }

  /** The path of the repository in the API. */
  String path() {
    return "/repos/" + owner + "/" + name;
  }

  @Override
  public String toString() {
    return location();
  }
}
