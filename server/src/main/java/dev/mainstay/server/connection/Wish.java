package dev.mainstay.server.connection;

import dev.mainstay.server.forge.HostCredentials;
import java.time.Duration;
import java.util.Optional;

/**
 * The way in which somebody wants a repository connected. Without a kind and without credentials
 * beside the address it is plain git; with credentials the kind is found out.
 */
public record Wish(
    String address,
    Optional<String> kind,
    Optional<HostCredentials> credentials,
    Optional<String> hookSecret,
    Optional<String> testCommand,
    Duration testTimeout) {
  public static Wish plain(String address, Optional<String> testCommand, Duration testTimeout) {
    return new Wish(
        address, Optional.empty(), Optional.empty(), Optional.empty(), testCommand, testTimeout);
  }
}
