package dev.mainstay.server.queue.store;

import dev.mainstay.server.platform.RandomSecret;
import dev.mainstay.server.platform.Sha256;

/**
 * The secret by which a test command sends its results. Only its hash is stored, with the command
 * that it belongs to, and it ends with that command.
 */
public record RunKey(String text) {
  private static final String PREFIX = "mrk_";

  public static RunKey generate() {
    return new RunKey(PREFIX + RandomSecret.text());
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
