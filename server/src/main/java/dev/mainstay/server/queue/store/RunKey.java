package dev.mainstay.server.queue.store;

import dev.mainstay.server.platform.Sha256;
import java.security.SecureRandom;
import java.util.Base64;

/**
 * The secret by which a test command sends its results. Only its hash is stored, with the command
 * that it belongs to, and it ends with that command.
 */
public record RunKey(String text) {
  private static final String PREFIX = "mrk_";
  private static final int RANDOM_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  public static RunKey generate() {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return new RunKey(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
  }

  /** True where a token can be one of these; keys of people begin otherwise. */
  public static boolean isOne(String token) {
    return token.startsWith(PREFIX);
  }

  byte[] hash() {
    return Sha256.of(text);
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
