package dev.mainstay.server.platform;

import java.security.SecureRandom;
import java.util.Base64;

/** Secrets of 256 random bits, which nobody guesses. */
public final class RandomSecret {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private RandomSecret() {}

  public static byte[] bytes() {
    byte[] random = new byte[BYTES];
    RANDOM.nextBytes(random);
    return random;
  }

  /** One in letters, digits, {@code -} and {@code _}. */
  public static String text() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes());
  }
}
