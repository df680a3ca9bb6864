package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.platform.Json;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** An App that GitHub has just made of a manifest. {@code page} is the one that shows it. */
public record NewApp(
    long id, String slug, String privateKey, Optional<String> hookSecret, String page) {
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_-]{1,200}");
  private static final Pattern SLUG = Pattern.compile("[a-z0-9-]{1,100}");
  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_-]{1,100}){1,5}");
  private static final Pattern SECRET = Pattern.compile("[\\x21-\\x7e]{1,200}");
  private static final int LONGEST_KEY = 20_000;

  /** Whether this may be a code by which GitHub hands out an App. */
  public static boolean isCode(String text) {
    return CODE.matcher(text).matches();
  }

  /**
   * Exchanges the code, once and for all. Whatever else GitHub answers is thrown as {@link
   * CredentialsRefused} or {@link ForgeUnavailable}.
   */
  public static NewApp of(GitHubSite site, String code) {
    if (!isCode(code)) {
      throw new CredentialsRefused("This is no code of %s.".formatted(site.host()));
    }
    try (var client = RestClient.once(site.api(), GitHubHeaders.ANONYMOUS, Networks.usual())) {
      String path = site.rest() + "/app-manifests/" + code + "/conversions";
      Answer answer = client.send("POST", path, Json.object());
      if (answer.status() == 404) {
        throw new CredentialsRefused(
            "%s does not know the code: a code works once, and for an hour."
                .formatted(site.host()));
      }
      if (!answer.ok()) {
        throw new CredentialsRefused(
            "%s does not hand out the App: status %d (%s)."
                .formatted(site.host(), answer.status(), answer.words()));
      }
      return read(site, answer.json());
    }
  }

  private static NewApp read(GitHubSite site, JsonNode json) {
    long id = json.path("id").isIntegralNumber() ? json.path("id").asLong(0) : 0;
    String slug = json.path("slug").asString("");
    String page = json.path("html_url").asString("");
    String key = json.path("pem").asString("").strip();
    Optional<String> secret =
        json.path("webhook_secret").isNull() || json.path("webhook_secret").isMissingNode()
            ? Optional.empty()
            : Optional.of(json.path("webhook_secret").asString(""));
    check(site, id > 0, "id");
    check(site, SLUG.matcher(slug).matches(), "slug");
    check(site, isPage(site, page), "html_url");
    check(site, secret.map(SECRET::matcher).filter(m -> !m.matches()).isEmpty(), "webhook_secret");
    check(site, key.length() <= LONGEST_KEY && isKey(id, key), "pem");
    return new NewApp(id, slug, key, secret, page);
  }

  /** A page of the same GitHub, which may be shown and followed. */
  private static boolean isPage(GitHubSite site, String page) {
    String start = site.location();
    return page.regionMatches(true, 0, start, 0, start.length())
        && PATH.matcher(page.substring(start.length())).matches();
  }

  private static boolean isKey(long id, String key) {
    try {
      AppKey.of(Long.toString(id), key);
      return true;
    } catch (CredentialsRefused e) {
      return false;
    }
  }

  private static void check(GitHubSite site, boolean good, String field) {
    if (!good) {
      throw ForgeUnavailable.ofHost(
          "%s does not answer as its API should: the %s of the App cannot be used."
              .formatted(site.host(), field));
    }
  }

  /** The page on which it is installed. */
  public String installation() {
    return page + "/installations/new";
  }

  /** Never the secrets. */
  @Override
  public String toString() {
    return slug + " (" + id + ")";
  }
}
