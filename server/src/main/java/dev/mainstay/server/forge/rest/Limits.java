package dev.mainstay.server.forge.rest;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.platform.Json;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;

/** Answers by which a host asks to be left alone for a while, or refuses the credentials. */
final class Limits {
  private static final int MOST_WORDS = 200;

  private Limits() {}

  static void check(String host, HttpResponse<?> response, byte[] body, Budget budget) {
    int status = response.statusCode();
    if (status == 429 || (status == 403 && isLimit(response.headers(), body))) {
      throw ForgeUnavailable.limited(
          "%s asks not to be asked for a while: its limit is reached.".formatted(host),
          budget.refused(response.headers()));
    }
    budget.answered(response.headers());
    if (status == 401) {
      throw new CredentialsRefused("%s does not accept the credentials.".formatted(host));
    }
    if (status == 403) {
      throw new CredentialsRefused(
          "%s does not allow this with the credentials it was given%s."
              .formatted(host, quoted(body)));
    }
    if (status >= 500) {
      String sentence = "%s answers with status %d.".formatted(host, status);
      throw response
          .headers()
          .firstValue("retry-after")
          .filter(text -> text.matches("\\d{1,6}"))
          .map(text -> ForgeUnavailable.untilAfter(sentence, seconds(text)))
          .orElseGet(() -> ForgeUnavailable.ofHost(sentence));
    }
  }

  private static boolean isLimit(HttpHeaders headers, byte[] body) {
    return headers.firstValue("retry-after").isPresent()
        || Budget.limit(headers, "remaining").equals(OptionalLong.of(0))
        || words(body).contains("rate limit");
  }

  private static Duration seconds(String text) {
    return Duration.ofSeconds(Long.parseLong(text));
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
