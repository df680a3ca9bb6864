package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.Budget;
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
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/**
 * The tokens by which an App works on the repositories of one owner. One lasts an hour, and is made
 * anew some minutes before that, or when it is refused.
 */
final class AppTokens {
  /** By GitHub's documents; its answers do not tell them. */
  static final Budget.Writes WRITES = new Budget.Writes(80, 500);

  private static final Duration EARLY = Duration.ofMinutes(5);

  /** Clocks that differ by less are not refused. */
  private static final Duration HARMLESS = Duration.ofSeconds(20);

  /** An installation of the App, with what it may do, each by its level. */
  record Installation(long id, String slug, Map<String, String> permissions) {}

  private record Token(String text, Instant good) {}

  private final RestClient client;
  private final Budget ofApp;
  private final Budget ofInstallation;
  private Optional<Token> token = Optional.empty();
  private Optional<String> slug = Optional.empty();

  /** Asks at the host of this address, for whichever repository there. */
  AppTokens(GitHubAddress address, AppKey key, InstantSource clock, Networks networks) {
    ofApp = new Budget(clock, Budget.Writes.ANY);
    ofInstallation = new Budget(clock, WRITES);
    client =
        new RestClient(
            address.api(),
            () -> GitHubHeaders.of(key.signed(ofApp.clock().instant())),
            () -> ofApp,
            new Usage(),
            networks);
  }

  /** The limits of what these tokens may ask. */
  Budget budget() {
    return ofInstallation;
  }

  synchronized String token(GitHubAddress repository) {
    if (token.filter(t -> ofApp.clock().instant().isBefore(t.good())).isEmpty()) {
      token = Optional.of(made(repository));
    }
    return token.get().text();
  }

  /** This token was refused: the next is another. */
  synchronized void refused(String text) {
    token = token.filter(t -> !t.text().equals(text));
  }

  /** The login that comments of the App have. */
  synchronized String login(GitHubAddress repository) {
    if (slug.isEmpty()) {
      slug = Optional.of(installation(repository).slug());
    }
    return slug.get() + "[bot]";
  }

  Installation installation(GitHubAddress repository) {
    String path = repository.rest() + "/repos/" + repository.fullName() + "/installation";
    Answer answer = timely(() -> client.get(path));
    if (!answer.ok()) {
      throw new CredentialsRefused(
          "The App is not installed for %s, or there is no such repository (%s)."
              .formatted(repository.fullName(), answer.words()));
    }
    Map<String, String> permissions = new TreeMap<>();
    JsonNode json = answer.json();
    json.path("permissions")
        .propertyStream()
        .forEach(p -> permissions.put(p.getKey(), p.getValue().asString("")));
    return new Installation(
        json.path("id").asLong(0), json.path("app_slug").asString(""), permissions);
  }

  /** A refusal may be for our clock: it tells the time of the host, which is asked once more. */
  private Answer timely(Supplier<Answer> request) {
    Duration before = ofApp.clock().ahead();
    try {
      return request.get();
    } catch (CredentialsRefused e) {
      if (ofApp.clock().ahead().minus(before).abs().compareTo(HARMLESS) < 0) {
        throw e;
      }
      return request.get();
    }
  }

  private Token made(GitHubAddress repository) {
    Installation installation = installation(repository);
    slug = Optional.of(installation.slug());
    String path = "/app/installations/" + installation.id() + "/access_tokens";
    Answer answer = timely(() -> client.send("POST", repository.rest() + path, Json.object()));
    String text = answer.json().path("token").asString("");
    if (!answer.ok() || !text.matches("[\\x21-\\x7e]{1,2000}")) {
      throw new CredentialsRefused(
          "%s gives the App no token (%s).".formatted(repository.host(), answer.words()));
    }
    String end = answer.json().path("expires_at").asString("");
    return new Token(text, end(repository, end).minus(EARLY));
  }

  private static Instant end(GitHubAddress repository, String text) {
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw ForgeUnavailable.ofHost(
          "%s does not say how long a token of the App lasts.".formatted(repository.host()));
    }
  }
}
