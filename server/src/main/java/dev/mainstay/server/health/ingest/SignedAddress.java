package dev.mainstay.server.health.ingest;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Addresses that stand for a permission: whoever has one may use it until it expires. */
final class SignedAddress {
  static final String PATH = "/bundles";

  private final byte[] secret;

  SignedAddress(byte[] secret) {
    this.secret = secret.clone();
  }

  String of(UUID bundle, Instant expiresAt) {
    long expires = expiresAt.getEpochSecond();
    return "%s?id=%s&expires=%d&signature=%s"
        .formatted(PATH, bundle, expires, signature(bundle.toString(), String.valueOf(expires)));
  }

  /** The bundle an address is for, unless it was made by somebody else or is over. */
  Optional<UUID> verified(Map<String, String> query, Instant now) {
    String id = query.getOrDefault("id", "");
    String expires = query.getOrDefault("expires", "");
    byte[] given = query.getOrDefault("signature", "").getBytes(StandardCharsets.UTF_8);
    byte[] right = signature(id, expires).getBytes(StandardCharsets.UTF_8);
    if (!MessageDigest.isEqual(given, right)
        || Instant.ofEpochSecond(Long.parseLong(expires)).isBefore(now)) {
      return Optional.empty();
    }
    return Optional.of(UUID.fromString(id));
  }

  private String signature(String id, String expires) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      byte[] hash = mac.doFinal((id + "\n" + expires).getBytes(StandardCharsets.UTF_8));
      return Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
