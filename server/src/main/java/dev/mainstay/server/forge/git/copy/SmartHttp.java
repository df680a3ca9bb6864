package dev.mainstay.server.forge.git.copy;

import dev.mainstay.server.forge.ForgeUnavailable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;

/** The first question of git over http, asked without git. */
final class SmartHttp {
  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final String QUESTION = "/info/refs";
  private static final String GIT = "application/x-git-upload-pack-advertisement";

  private SmartHttp() {}

  /** Where a repository is now; empty where that is at another host, or port, or nowhere. */
  static Optional<String> moved(String location, FarSide far) {
    return headers(location, far)
        .firstValue("location")
        .flatMap(to -> sameHost(question(location), to));
  }

  /** True where a git server answers; one that knows no git may answer everything with nothing. */
  static boolean answersAt(String location, FarSide far) {
    return headers(location, far).firstValue("content-type").filter(GIT::equals).isPresent();
  }

  private static URI question(String location) {
    return URI.create(location.replaceFirst("/+$", "") + QUESTION);
  }

  private static HttpHeaders headers(String location, FarSide far) {
    URI asked = question(location);
    if (asked.getHost() == null) {
      throw new ForgeUnavailable(
          "%s is no name of a host that can be asked.".formatted(asked.getRawAuthority()));
    }
    far.allowed(asked);
    var request =
        HttpRequest.newBuilder(URI.create(asked + "?service=git-upload-pack")).timeout(LONGEST);
    far.credentials().get().ifPresent(c -> request.header("Authorization", c.value()));
    try (var client =
        HttpClient.newBuilder()
            .connectTimeout(LONGEST)
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).headers();
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
