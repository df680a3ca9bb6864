package dev.mainstay.server.forge.github;

import java.util.Map;

/** The headers of every request to GitHub. */
final class GitHubHeaders {
  private GitHubHeaders() {}

  static Map<String, String> of(String token) {
    return Map.of(
        "Authorization",
        "Bearer " + token,
        "Accept",
        "application/vnd.github+json",
        "X-GitHub-Api-Version",
        "2022-11-28",
        "User-Agent",
        "Mainstay");
  }
}
