package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A repository of GitHub by its address, and where its API is. */
record GitHubAddress(GitHubSite site, String owner, String name) {
  private static final Pattern LOCATION =
      Pattern.compile(
          "(https?)://([^/]+)/([A-Za-z0-9][A-Za-z0-9_-]{0,99})/([A-Za-z0-9._-]{1,100}?)(?:\\.git)?/*");

  /** An address as a user gives it, which may hold a token. */
  record Given(GitHubAddress address, Optional<String> token) {}

  /** Refuses what is no address by an IllegalArgumentException that says why. */
  static Given parse(String text) {
    GitAddress.Given given = GitAddress.parse(text);
    return new Given(of(given.address().location()), given.credentials().map(GitHubAddress::token));
  }

  static GitHubAddress of(String location) {
    Matcher parts = LOCATION.matcher(location);
    if (!parts.matches() || parts.group(4).matches("\\.{1,2}")) {
      throw new IllegalArgumentException(
          "The address of a repository at GitHub looks like https://github.com/OWNER/NAME.");
    }
    var site = new GitHubSite(parts.group(1), parts.group(2).toLowerCase(Locale.ROOT));
    return new GitHubAddress(site, parts.group(3), parts.group(4));
  }

  /** The token of a user part: the password, or the user where there is none. */
  private static String token(GitCredentials credentials) {
    return credentials.password().isEmpty() ? credentials.user() : credentials.password();
  }

  /** The place that anybody may read, by which git asks as well. */
  String location() {
    return site.location() + "/" + fullName();
  }

  String fullName() {
    return owner + "/" + name;
  }

  String host() {
    return site.host();
  }

  URI api() {
    return site.api();
  }

  String rest() {
    return site.rest();
  }
}
