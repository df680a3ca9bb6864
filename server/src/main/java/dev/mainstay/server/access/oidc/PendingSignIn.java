package dev.mainstay.server.access.oidc;

import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.RandomSecret;
import dev.mainstay.server.platform.Vault;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;

/**
 * A sign-in that has begun. The browser carries it, encrypted, so that any node can finish it, and
 * only for the browser that began it.
 */
record PendingSignIn(
    String state, String nonce, String verifier, String redirectUri, String returnTo, long until) {
  private static final String PLACE = "oidc-sign-in";
  private static final int MOST_SEALED = 4000;
  private static final int MOST_RETURN_TO = 1000;

  static PendingSignIn begin(String redirectUri, String returnTo, Instant until) {
    return new PendingSignIn(
        RandomSecret.text(),
        RandomSecret.text(),
        RandomSecret.text(),
        redirectUri,
        local(returnTo),
        until.toEpochMilli());
  }

  /** A path of this service, whatever was asked for: nobody is sent elsewhere after signing in. */
  private static String local(String path) {
    return path.length() <= MOST_RETURN_TO && path.matches("/(?![/\\\\])[\\x21-\\x5b\\x5d-\\x7e]*")
        ? path
        : "/";
  }

  String seal(Vault vault) {
    String text = new String(Json.write(this), StandardCharsets.UTF_8);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(vault.lock(text, PLACE));
  }

  /** Empty where nobody here has sealed it, or it is over. */
  static Optional<PendingSignIn> open(String sealed, Vault vault, Instant now) {
    if (sealed.length() > MOST_SEALED) {
      return Optional.empty();
    }
    try {
      var in =
          Json.readObject(
              vault
                  .unlock(Base64.getUrlDecoder().decode(sealed), PLACE)
                  .getBytes(StandardCharsets.UTF_8));
      return Optional.of(
              new PendingSignIn(
                  in.path("state").asString(),
                  in.path("nonce").asString(),
                  in.path("verifier").asString(),
                  in.path("redirectUri").asString(),
                  in.path("returnTo").asString(),
                  in.path("until").asLong()))
          .filter(pending -> now.toEpochMilli() < pending.until());
    } catch (IllegalArgumentException | IllegalStateException e) {
      return Optional.empty();
    }
  }
}
