package dev.mainstay.server.forge.rest;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Json;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Answers by which a host asks to be left alone for a while, or refuses the credentials. */
final class Limits {
  private static final Duration USUAL = Duration.ofSeconds(60);
  private static final int MOST_WORDS = 200;

  private Limits() {}

  static void check(String host, HttpResponse<?> response, byte[] body) {
    int status = response.statusCode();
    if (status == 429 || (status == 403 && isLimit(response.headers(), body))) {
      throw ForgeUnavailable.untilAfter(
          "%s asks not to be asked for a while: its limit is reached.".formatted(host),
          wait(response.headers()));
    }
    if (status == 401) {
      throw new CredentialsRefused("%s does not accept the credentials.".formatted(host));
    }
    if (status == 403) {
      throw new CredentialsRefused(
          "%s does not allow this with the credentials it was given%s."
              .formatted(host, quoted(body)));
    }
    if (status >= 500) {
      throw ForgeUnavailable.ofHost("%s answers with status %d.".formatted(host, status));
    }
  }

  private static boolean isLimit(HttpHeaders headers, byte[] body) {
    return headers.firstValue("retry-after").isPresent()
        || headers.firstValue("x-ratelimit-remaining").filter("0"::equals).isPresent()
        || words(body).contains("rate limit");
  }

  /** As long as the host says, by either of its headers. */
  private static Duration wait(HttpHeaders headers) {
    return number(headers, "retry-after")
        .map(Duration::ofSeconds)
        .or(
            () ->
                number(headers, "x-ratelimit-reset")
                    .map(at -> Duration.between(Instant.now(), Instant.ofEpochSecond(at))))
        .filter(wait -> wait.isPositive())
        .orElse(USUAL);
  }

  private static Optional<Long> number(HttpHeaders headers, String name) {
    return headers.firstValue(name).filter(text -> text.matches("\\d{1,12}")).map(Long::parseLong);
  }

  private static String quoted(byte[] body) {
    String words = words(body);
    return words.isEmpty() ? "" : " (\"" + words + "\")";
  }

  private static String words(byte[] body) {
    try {
      JsonNode json = Json.read(body);
      return line(json.path("message").asString(""));
    } catch (Json.Malformed e) {
      return "";
    }
  }

  static String line(String text) {
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() > MOST_WORDS ? line.substring(0, MOST_WORDS) + "…" : line;
  }
}
