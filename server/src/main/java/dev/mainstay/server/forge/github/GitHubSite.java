package dev.mainstay.server.forge.github;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A GitHub by its address, and where its API is: github.com, ghe.com or an Enterprise Server. */
public record GitHubSite(String scheme, String host) {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(https?)://((?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\\[::1])(?::(\\d{1,5}))?)/*");
  private static final Pattern LOOPBACK =
      Pattern.compile("(127\\.0\\.0\\.1|localhost|\\[::1])(:\\d+)?");
  private static final int LAST_PORT = 65_535;

  public GitHubSite {
    if (!scheme.equals("https") && !LOOPBACK.matcher(host).matches()) {
      throw new IllegalArgumentException(
          "GitHub is asked by https only, so that nobody reads the credentials: write https://"
              + host
              + "/…");
    }
  }

  /** Refuses what is no address of a GitHub by an IllegalArgumentException that says why. */
  public static GitHubSite parse(String text) {
    Matcher parts = ADDRESS.matcher(text.toLowerCase(Locale.ROOT));
    if (!parts.matches() || !isPort(Optional.ofNullable(parts.group(3)))) {
      throw new IllegalArgumentException(
          "The address of a GitHub looks like https://github.com, with nothing after the host.");
    }
    String scheme = parts.group(1);
    // A port that goes without saying is not in the addresses that GitHub tells.
    String usual = scheme.equals("https") ? ":443$" : ":80$";
    String host = parts.group(2).replaceFirst(usual, "");
    return new GitHubSite(scheme, host.equals("www.github.com") ? "github.com" : host);
  }

  private static boolean isPort(Optional<String> digits) {
    return digits.map(Integer::parseInt).filter(port -> port < 1 || port > LAST_PORT).isEmpty();
  }

  /** The beginning of every address of its pages. */
  public String location() {
    return scheme + "://" + host;
  }

  /** The page of the Apps of an organization there, or of the person who looks. */
  public String apps(Optional<String> organization) {
    return location()
        + organization.map(name -> "/organizations/" + name).orElse("")
        + "/settings/apps";
  }

  /** The address below which both ways to ask are, REST and GraphQL. */
  URI api() {
    if (host.equals("github.com") || host.equals("www.github.com")) {
      return URI.create("https://api.github.com");
    }
    return host.endsWith(".ghe.com")
        ? URI.create("https://api." + host)
        : URI.create(location() + "/api");
  }

  /** The beginning of every path of the REST API: an Enterprise Server has its version there. */
  String rest() {
    return api().getPath().equals("/api") ? "/v3" : "";
  }
}
