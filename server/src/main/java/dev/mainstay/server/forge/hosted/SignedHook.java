package dev.mainstay.server.forge.hosted;

import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Hooks that are signed by an HMAC of their body with a secret that both sides know. */
public final class SignedHook {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MOST_PATH = 500;

  private SignedHook() {}

  /**
   * The claim of a call whose signature, in hexadecimal digits, is in this header; empty where it
   * names neither a repository nor an App.
   */
  public static Optional<HookClaim> claim(HookCall call, String header, Optional<String> app) {
    Optional<String> path = path(call.body());
    if (path.isEmpty() && app.isEmpty()) {
      return Optional.empty();
    }
    return call.header(header)
        .map(value -> value.startsWith("sha256=") ? value.substring(7) : value)
        .map(
            signature ->
                new HookClaim(
                    path.orElse(""), app, secret -> isSigned(call.body(), secret, signature)));
  }

  private static Optional<String> path(byte[] body) {
    try {
      String path = Json.readObject(body).path("repository").path("full_name").asString("");
      boolean readable =
          path.length() <= MOST_PATH && path.codePoints().noneMatch(Character::isISOControl);
      return path.isEmpty() || !readable ? Optional.empty() : Optional.of(path);
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  static boolean isSigned(byte[] body, String secret, String signature) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), ALGORITHM));
      byte[] wanted =
          HexFormat.of().formatHex(mac.doFinal(body)).getBytes(StandardCharsets.US_ASCII);
      return MessageDigest.isEqual(wanted, signature.getBytes(StandardCharsets.US_ASCII));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
