package dev.mainstay.server.forge.gitlab;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.HookCall;
import dev.mainstay.server.forge.HookClaim;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.databind.JsonNode;

/**
 * Hooks of GitLab. All of them may show the secret itself; since version 19 they may be signed,
 * with a time, and a call that is signed must be signed well. A signing token is {@code whsec_} and
 * 32 bytes in base64: of a secret that is none, these are its SHA-256.
 */
record GitLabHook(HookCall call, InstantSource clock) {
  private static final String ALGORITHM = "HmacSHA256";
  private static final String SIGNING = "whsec_";
  private static final Duration TOLERANCE = Duration.ofMinutes(5);
  private static final int MOST_PATH = 2000;
  private static final Pattern HOST = Pattern.compile("^https?://[^/]*/+");
  private static final int MOST_SIGNATURES = 10;

  /** Empty where it names no project. */
  Optional<HookClaim> claim() {
    boolean provable =
        call.header("X-Gitlab-Token").isPresent() || call.header("webhook-signature").isPresent();
    return provable
        ? path().map(path -> new HookClaim(path, Optional.empty(), this::isProvenBy))
        : Optional.empty();
  }

  /** Older servers tell of a job by the address of its project alone. */
  private Optional<String> path() {
    try {
      JsonNode said = Json.readObject(call.body());
      String path = said.path("project").path("path_with_namespace").asString("");
      String home = said.path("repository").path("homepage").asString("");
      return Optional.of(path.isEmpty() ? HOST.matcher(home).replaceFirst("") : path)
          .filter(p -> !p.isEmpty() && p.length() <= MOST_PATH)
          .filter(p -> p.codePoints().noneMatch(Character::isISOControl));
    } catch (Json.Malformed e) {
      return Optional.empty();
    }
  }

  private boolean isProvenBy(String secret) {
    Optional<String> signatures = call.header("webhook-signature");
    return signatures.isPresent()
        ? isInTime() && isSigned(secret, signatures.get())
        : call.header("X-Gitlab-Token").filter(t -> isSame(t, secret)).isPresent();
  }

  private boolean isInTime() {
    return call.header("webhook-timestamp")
        .filter(text -> text.matches("\\d{1,12}"))
        .map(text -> Instant.ofEpochSecond(Long.parseLong(text)))
        .map(at -> Duration.between(at, clock.instant()).abs())
        .filter(age -> age.compareTo(TOLERANCE) <= 0)
        .isPresent();
  }

  /** Several signatures stand side by side while a key is changed. */
  private boolean isSigned(String secret, String signatures) {
    Optional<byte[]> key = key(secret);
    if (key.isEmpty()) {
      return false;
    }
    String wanted = "v1," + Base64.getEncoder().encodeToString(signature(key.get()));
    return Stream.of(signatures.split(" ", MOST_SIGNATURES)).anyMatch(s -> isSame(s, wanted));
  }

  private static Optional<byte[]> key(String secret) {
    if (!secret.startsWith(SIGNING)) {
      return Optional.of(Sha256.of(secret));
    }
    try {
      byte[] key = Base64.getDecoder().decode(secret.substring(SIGNING.length()));
      return Optional.of(key).filter(k -> k.length > 0);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private byte[] signature(byte[] key) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      mac.update((call.header("webhook-id").orElse("") + ".").getBytes(UTF_8));
      mac.update((call.header("webhook-timestamp").orElse("") + ".").getBytes(UTF_8));
      return mac.doFinal(call.body());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isSame(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }
}
