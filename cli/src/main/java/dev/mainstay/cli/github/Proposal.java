package dev.mainstay.cli.github;

import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.forge.github.AppManifest;
import dev.mainstay.server.forge.github.GitHubSite;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The App that is wanted: for which Mainstay, at which GitHub, whose, and its name. */
record Proposal(String url, GitHubSite site, Optional<String> organization, String name) {
  private static final Pattern ORGANIZATION = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

  /** GitHub takes no longer one. */
  private static final int LONGEST_NAME = 34;

  private static final int LONGEST_URL = 1000;

  /** Refuses what cannot be an App, by a sentence for who called. */
  static Proposal read(
      String url, String github, @Nullable String organization, @Nullable String name) {
    URI address = address(url);
    if (organization != null && !ORGANIZATION.matcher(organization).matches()) {
      throw new WrongCall("--org is the name of an organization at GitHub, such as acme.");
    }
    String usual = "Mainstay " + (organization == null ? address.getHost() : organization);
    return new Proposal(
        address.toString().replaceFirst("/+$", ""),
        site(github),
        Optional.ofNullable(organization),
        name == null ? usual.substring(0, Math.min(LONGEST_NAME, usual.length())) : named(name));
  }

  private static URI address(String text) {
    try {
      var address = new URI(text);
      if (text.length() <= LONGEST_URL
          && text.matches("https?://[^@?#]+")
          && address.getHost() != null) {
        return address;
      }
    } catch (URISyntaxException e) {
      // said below
    }
    throw new WrongCall(
        "--url is where GitHub reaches this Mainstay, such as https://mainstay.example.com.");
  }

  private static GitHubSite site(String text) {
    try {
      return GitHubSite.parse(text);
    } catch (IllegalArgumentException e) {
      throw new WrongCall("--github: " + e.getMessage());
    }
  }

  private static String named(String name) {
    if (name.isBlank()
        || name.length() > LONGEST_NAME
        || name.codePoints().anyMatch(Character::isISOControl)) {
      throw new WrongCall("--name is 1 to %d characters.".formatted(LONGEST_NAME));
    }
    return name.strip();
  }

  /** The page that proposes it, and has the browser come back to this door. */
  SetupPage page(SetupDoor door) {
    return SetupPage.proposing(
        new AppManifest(name, url, door.back()),
        site.host(),
        apps() + "/new?state=" + door.state());
  }

  /** Where its owner finds it later. */
  String apps() {
    return site.apps(organization);
  }
}
