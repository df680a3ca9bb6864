package dev.mainstay.server.platform;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The hash by which tokens, uploads and lists are known. */
public final class Sha256 {
  private static final MessageDigest FRESH = lookUp();

  private Sha256() {}

  /** A copy of a fresh digest: looking one up costs more than using it, and every request does. */
  public static MessageDigest digest() {
    try {
      return (MessageDigest) FRESH.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  public static byte[] of(byte[] bytes) {
    return digest().digest(bytes);
  }

  public static byte[] of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static MessageDigest lookUp() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
