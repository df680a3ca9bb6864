package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The new place of a repository that was renamed, as its host tells. */
final class Moved {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String QUESTION = "/info/refs";

  private Moved() {}

  /** Where a repository is now; empty where that is at another host, or port, or nowhere. */
  static Optional<String> of(String location, Supplier<Optional<GitCredentials>> credentials) {
    URI asked = URI.create(location.replaceFirst("/+$", "") + QUESTION);
    var request =
        HttpRequest.newBuilder(URI.create(asked + "?service=git-upload-pack")).timeout(LONGEST);
    credentials.get().ifPresent(c -> request.header("Authorization", c.value()));
    try (var client =
        HttpClient.newBuilder()
            .connectTimeout(LONGEST)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build()) {
      return client
          .send(request.build(), HttpResponse.BodyHandlers.discarding())
          .headers()
          .firstValue("location")
          .flatMap(to -> sameHost(asked, to));
    } catch (IOException e) {
      throw ForgeUnavailable.ofHost(
          "%s does not say where a repository is.".formatted(asked.getAuthority()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ForgeUnavailable("The work was interrupted.", e);
    }
  }

  private static Optional<String> sameHost(URI asked, String to) {
    try {
      URI there = asked.resolve(to);
      boolean same =
          asked.getScheme().equals(there.getScheme())
              && asked.getRawAuthority().equals(there.getRawAuthority())
              && there.getRawPath().endsWith(QUESTION);
      String path = there.getRawPath();
      return same
          ? Optional.of(
              "%s://%s%s"
                  .formatted(
                      there.getScheme(),
                      there.getRawAuthority(),
                      path.substring(0, path.length() - QUESTION.length())))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
