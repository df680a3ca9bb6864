package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.forge.rest.Usage;
import dev.mainstay.server.platform.Json;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/**
 * The tokens by which an App works on one repository. One lasts an hour, and is made anew some
 * minutes before that, or when it is refused.
 */
final class AppTokens {
  private static final Duration EARLY = Duration.ofMinutes(5);

  /** An installation of the App, with what it may do, each by its level. */
  record Installation(long id, String slug, Map<String, String> permissions) {}

  private record Token(String text, Instant good) {}

  private final GitHubAddress address;
  private final AppKey key;
  private final InstantSource clock;
  private final Usage usage;
  private Optional<Token> token = Optional.empty();
  private Optional<String> slug = Optional.empty();

  AppTokens(GitHubAddress address, AppKey key, InstantSource clock, Usage usage) {
    this.address = address;
    this.key = key;
    this.clock = clock;
    this.usage = usage;
  }

  synchronized String token() {
    if (token.filter(t -> clock.instant().isBefore(t.good())).isEmpty()) {
      token = Optional.of(made());
    }
    return token.get().text();
  }

  /** This token was refused: the next is another. */
  synchronized void refused(String text) {
    token = token.filter(t -> !t.text().equals(text));
  }

  /** The login that comments of the App have. */
  synchronized String login() {
    if (slug.isEmpty()) {
      slug = Optional.of(installation().slug());
    }
    return slug.get() + "[bot]";
  }

  Installation installation() {
    try (RestClient client = client()) {
      Answer answer = client.get(address.rest() + "/repos/" + address.fullName() + "/installation");
      if (!answer.ok()) {
        throw new CredentialsRefused(
            "The App is not installed for %s, or there is no such repository (%s)."
                .formatted(address.fullName(), answer.words()));
      }
      Map<String, String> permissions = new TreeMap<>();
      JsonNode json = answer.json();
      json.path("permissions")
          .propertyStream()
          .forEach(p -> permissions.put(p.getKey(), p.getValue().asString("")));
      return new Installation(
          json.path("id").asLong(0), json.path("app_slug").asString(""), permissions);
    }
  }

  private Token made() {
    Installation installation = installation();
    slug = Optional.of(installation.slug());
    try (RestClient client = client()) {
      Answer answer =
          client.send(
              "POST",
              address.rest() + "/app/installations/" + installation.id() + "/access_tokens",
              Json.object());
      String text = answer.json().path("token").asString("");
      if (!answer.ok() || !text.matches("[\\x21-\\x7e]{1,2000}")) {
        throw new CredentialsRefused(
            "%s gives the App no token (%s).".formatted(address.host(), answer.words()));
      }
      return new Token(text, end(answer.json().path("expires_at").asString("")).minus(EARLY));
    }
  }

  private Instant end(String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw ForgeUnavailable.ofHost(
          "%s does not say how long a token of the App lasts.".formatted(address.host()));
    }
  }

  private RestClient client() {
    return new RestClient(
        address.api(), () -> GitHubHeaders.of(key.signed(clock.instant())), usage);
  }
}
