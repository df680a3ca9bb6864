package dev.mainstay.server.access;

import dev.mainstay.server.platform.Sha256;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/**
 * The secret a caller sends. Made of 256 random bits, it needs no salt and no slow hash; its prefix
 * lets secret scanners recognize it.
 */
public record Token(String text) {
  private static final String PREFIX = "mst_";
  private static final int RANDOM_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The form of a token that an operator chooses: as hard to guess as one of ours. */
  public static final String CHOSEN_FORM = "[\\x21-\\x7e]{32,200}";

  static Token generate() {
    byte[] random = new byte[RANDOM_BYTES];
    RANDOM.nextBytes(random);
    return new Token(PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(random));
  }

  Hash hash() {
    return new Hash(Sha256.of(text));
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }

  /** The hash of a token, which is all that is stored of it. */
  @SuppressWarnings("ArrayRecordComponent") // Compared by content below.
  record Hash(byte[] bytes) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Hash hash && MessageDigest.isEqual(bytes, hash.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }
  }
}
