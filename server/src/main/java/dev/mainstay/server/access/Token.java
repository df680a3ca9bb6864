package dev.mainstay.server.access;

import dev.mainstay.server.platform.RandomSecret;
import dev.mainstay.server.platform.Sha256;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The secret a caller sends. Made of 256 random bits, it needs no salt and no slow hash; its prefix
 * lets secret scanners recognize it.
 */
public record Token(String text) {
  private static final String PREFIX = "mst_";

  /** The form of a token that an operator chooses: as hard to guess as one of ours. */
  public static final String CHOSEN_FORM = "[\\x21-\\x7e]{32,200}";

  static Token generate() {
    return new Token(PREFIX + RandomSecret.text());
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
