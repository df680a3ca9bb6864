package dev.mainstay.server.forge.rest;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The answer of a host, whatever it says; {@code unchanged} where it is the one that we remember,
 * and that the host did not send again. Names of headers are in lower case.
 */
public record Answer(
    int status, JsonNode json, Map<String, List<String>> headers, boolean unchanged) {
  public boolean ok() {
    return status / 100 == 2;
  }

  public Optional<String> header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()).stream().findFirst();
  }

  /** The host's own words about what is wrong, in one bounded line. */
  public String words() {
    return Limits.line(json.path("message").asString(""));
  }
}
