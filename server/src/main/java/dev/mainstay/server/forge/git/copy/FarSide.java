package dev.mainstay.server.forge.git.copy;

import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The far side of a copy: where it is, and the credentials it asks for, which may change. */
public record FarSide(GitAddress address, Supplier<Optional<GitCredentials>> credentials) {
  /** The settings by which git shows the credentials of now, to this place and no other. */
  Map<String, String> access(String place) {
    if (!address.isHttp()) {
      return Map.of();
    }
    return credentials
        .get()
        .map(
            c ->
                Map.of(
                    "GIT_CONFIG_COUNT",
                    "1",
                    "GIT_CONFIG_KEY_0",
                    "http." + place + ".extraHeader",
                    "GIT_CONFIG_VALUE_0",
                    c.header()))
        .orElse(Map.of());
  }
}
