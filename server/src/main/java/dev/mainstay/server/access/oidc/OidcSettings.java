package dev.mainstay.server.access.oidc;

import dev.mainstay.server.platform.StartFailure;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;

/**
 * The team's identity provider, and who of those that it signs in has which role in the
 * organization. The secret is read from its file at each use.
 */
public record OidcSettings(
    URI issuer, String clientId, Path clientSecretFile, String organization, RoleRules roles) {
  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final int MAX_SECRET_LENGTH = 4096;

  /** Throws {@link IllegalArgumentException} where a text is no issuer that can be trusted. */
  public static URI issuer(String text) {
    URI uri = URI.create(text);
    if (!isSafe(uri) || uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new IllegalArgumentException();
    }
    return uri;
  }

  /** True for https, and for http that does not leave this machine. */
  static boolean isSafe(URI uri) {
    return uri.getHost() != null
        && uri.getRawUserInfo() == null
        && ("https".equalsIgnoreCase(uri.getScheme())
            || ("http".equalsIgnoreCase(uri.getScheme()) && THIS_MACHINE.contains(uri.getHost())));
  }

  String clientSecret() {
    try {
      if (Files.size(clientSecretFile) > MAX_SECRET_LENGTH) {
        throw unreadable("is too long for a secret");
      }
      String secret = Files.readString(clientSecretFile).strip();
      if (secret.isEmpty()) {
        throw unreadable("is empty");
      }
      return secret;
    } catch (IOException e) {
      throw unreadable("cannot be read");
    }
  }

  private StartFailure unreadable(String fault) {
    return new StartFailure(
        "The file %s (MAINSTAY_OIDC_CLIENT_SECRET_FILE) %s: it holds the client's secret at the identity provider."
            .formatted(clientSecretFile, fault));
  }
}
