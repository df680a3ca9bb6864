package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.Credentials;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.git.copy.GitCredentials;
import dev.mainstay.server.forge.rest.Budget;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The way in, by the credentials of now: a person's token, or an App whose tokens are made when
 * they are needed.
 */
final class GitHubAccess {
  private final GitHubAddress address;
  private final Supplier<Optional<Credentials>> credentials;
  private final Accounts accounts;
  private Optional<Credentials> known = Optional.empty();
  private Optional<AppTokens> app = Optional.empty();

  GitHubAccess(
      GitHubAddress address, Supplier<Optional<Credentials>> credentials, Accounts accounts) {
    this.address = address;
    this.credentials = credentials;
    this.accounts = accounts;
  }

  String token() {
    Optional<AppTokens> tokens = app();
    return tokens.isPresent() ? tokens.get().token(address) : personal();
  }

  /** This token was refused; true where the next may be another. */
  boolean refused(String token) {
    Optional<AppTokens> tokens = app();
    tokens.ifPresent(t -> t.refused(token));
    return tokens.isPresent();
  }

  /** The limits that the host sets to these credentials. */
  Budget budget() {
    return app().map(AppTokens::budget).orElseGet(() -> accounts.ofToken(address, personal()));
  }

  GitCredentials forGit() {
    return new GitCredentials("x-access-token", token());
  }

  /** The App, where it is one. */
  synchronized Optional<AppTokens> app() {
    Optional<Credentials> now = credentials.get();
    if (!now.equals(known)) {
      app =
          read(now) instanceof HostCredentials.App given
              ? Optional.of(accounts.ofApp(address, given))
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
