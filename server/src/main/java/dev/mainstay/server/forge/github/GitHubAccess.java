package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.rest.Usage;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way in, by the credentials of now: a person's token, or an App whose tokens are made when
 * they are needed.
 */
final class GitHubAccess {
  private final GitHubAddress address;
  private final Supplier<Optional<Credentials>> credentials;
  private final InstantSource clock;
  private final Usage usage;
  private Optional<Credentials> known = Optional.empty();
  private Optional<AppTokens> app = Optional.empty();

  GitHubAccess(
      GitHubAddress address,
      Supplier<Optional<Credentials>> credentials,
      InstantSource clock,
      Usage usage) {
    this.address = address;
    this.credentials = credentials;
    this.clock = clock;
    this.usage = usage;
  }

  String token() {
    Optional<AppTokens> tokens = app();
    return tokens.isPresent() ? tokens.get().token() : personal();
  }

  /** This token was refused; true where the next may be another. */
  boolean refused(String token) {
    Optional<AppTokens> tokens = app();
    tokens.ifPresent(t -> t.refused(token));
    return tokens.isPresent();
  }

  GitCredentials forGit() {
    return new GitCredentials("x-access-token", token());
  }

  /** The App, where it is one. */
  synchronized Optional<AppTokens> app() {
    Optional<Credentials> now = credentials.get();
    if (!now.equals(known)) {
      app =
          read(now) instanceof HostCredentials.App(String id, String privateKey)
              ? Optional.of(new AppTokens(address, AppKey.of(id, privateKey), clock, usage))
              : Optional.empty();
      known = now;
    }
    return app;
  }

  private String personal() {
    return read(credentials.get()) instanceof HostCredentials.Token(String token)
            && token.strip().matches("[\\x21-\\x7e]{1,2000}")
        ? token.strip()
        : refuse();
  }

  private static HostCredentials read(Optional<Credentials> stored) {
    try {
      return HostCredentials.of(stored.orElse(new Credentials("")));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return new HostCredentials.Token("");
    }
  }

  private String refuse() {
    throw new CredentialsRefused(
        "%s is not asked without credentials: a token, or an App.".formatted(address.host()));
  }
}
