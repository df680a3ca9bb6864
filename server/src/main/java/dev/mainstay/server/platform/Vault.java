package dev.mainstay.server.platform;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts secrets that must be read again, such as the password of a repository, so that a copy of
 * one table gives nothing away. The key is made once and shared by all nodes through the database.
 */
public final class Vault {
  private static final String KEY = "connection-credentials";
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  private Vault(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  public static Vault open(Database database) {
    return new Vault(database.inTransaction(handle -> SecretStore.secret(handle, KEY)));
  }

  /** Encrypts a text for one place; in another it cannot be read. */
  public byte[] lock(String text, String place) {
    byte[] nonce = random(NONCE);
    byte[] locked = run(Cipher.ENCRYPT_MODE, nonce, place, text.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.allocate(NONCE + locked.length).put(nonce).put(locked).array();
  }

  public String unlock(byte[] locked, String place) {
    byte[] nonce = Arrays.copyOf(locked, NONCE);
    byte[] rest = Arrays.copyOfRange(locked, NONCE, locked.length);
    return new String(run(Cipher.DECRYPT_MODE, nonce, place, rest), StandardCharsets.UTF_8);
  }

  /** A token that nobody can guess. */
  public static String token() {
    return HexFormat.of().formatHex(random(24));
  }

  private byte[] run(int mode, byte[] nonce, String place, byte[] text) {
    try {
      var cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(place.getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a stored secret cannot be read", e);
    }
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }
}
