package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.git.copy.GitAddress;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A repository of GitHub by its address, and where its API is. */
record GitHubAddress(String scheme, String host, String owner, String name) {
  private static final Pattern LOCATION =
      Pattern.compile(
          "(https?)://([^/]+)/([A-Za-z0-9][A-Za-z0-9_-]{0,99})/([A-Za-z0-9._-]{1,100}?)(?:\\.git)?/*");
  private static final Pattern LOOPBACK =
      Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");

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
    String host = parts.group(2).toLowerCase(Locale.ROOT);
    if (parts.group(1).equals("http") && !LOOPBACK.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "GitHub is asked by https only, so that nobody reads the credentials: write https://"
              + host
              + "/…");
    }
    return new GitHubAddress(parts.group(1), host, parts.group(3), parts.group(4));
  }

  /** The token of a user part: the password, or the user where there is none. */
  private static String token(GitCredentials credentials) {
    return credentials.password().isEmpty() ? credentials.user() : credentials.password();
  }

  /** The place that anybody may read, by which git asks as well. */
  String location() {
    return "%s://%s/%s".formatted(scheme, host, fullName());
  }

  String fullName() {
    return owner + "/" + name;
  }

  /** The address below which both ways to ask are, REST and GraphQL. */
  URI api() {
    if (host.equals("github.com") || host.equals("www.github.com")) {
      return URI.create("https://api.github.com");
    }
    return host.endsWith(".ghe.com")
        ? URI.create("https://api." + host)
        : URI.create(scheme + "://" + host + "/api");
  }

  /** The beginning of every path of the REST API: an Enterprise Server has its version there. */
  String rest() {
    return api().getPath().equals("/api") ? "/v3" : "";
  }
}
