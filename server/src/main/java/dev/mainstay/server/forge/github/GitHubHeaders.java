package dev.mainstay.server.forge.github;

import java.util.HashMap;
import java.util.Map;

/** The headers of every request to GitHub. */
final class GitHubHeaders {
  /** Those of a question for which nobody has to be known. */
  static final Map<String, String> ANONYMOUS =
      Map.of(
          "Accept",
          "application/vnd.github+json",
          "X-GitHub-Api-Version",
          "2022-11-28",
          "User-Agent",
          "Mainstay");

  private GitHubHeaders() {}

  static Map<String, String> of(String token) {
    var headers = new HashMap<>(ANONYMOUS);
    headers.put("Authorization", "Bearer " + token);
    return Map.copyOf(headers);
  }
}
