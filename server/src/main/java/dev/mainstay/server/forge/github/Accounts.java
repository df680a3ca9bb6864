package dev.mainstay.server.forge.github;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.server.forge.HostCredentials;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.rest.Budget;
import dev.mainstay.server.platform.Sha256;
import java.time.InstantSource;
import java.util.HexFormat;

/**
 * The accounts by which this node asks GitHub: repositories that one token or one installation of
 * an App serves share its limits, and an installation's tokens.
 */
final class Accounts {
  private static final int MOST = 10_000;

  private final InstantSource clock;
  private final Networks networks;
  private final Cache<String, Budget> people = Caffeine.newBuilder().maximumSize(MOST).build();
  private final Cache<String, AppTokens> apps = Caffeine.newBuilder().maximumSize(MOST).build();

  Accounts(InstantSource clock, Networks networks) {
    this.clock = clock;
    this.networks = networks;
  }

  Budget ofToken(GitHubAddress address, String token) {
    return people.get(key(address.host(), token), any -> new Budget(clock, AppTokens.WRITES));
  }

  /** An App is installed once for each owner of repositories. */
  AppTokens ofApp(GitHubAddress address, HostCredentials.App app) {
    return apps.get(
        key(address.host(), address.owner(), app.id(), app.privateKey()),
        any -> new AppTokens(address, AppKey.of(app.id(), app.privateKey()), clock, networks));
  }

  /** Secrets are not kept as keys. */
  private static String key(String... parts) {
    return HexFormat.of().formatHex(Sha256.of(String.join("\n", parts)));
  }
}
