package dev.mainstay.core.health;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/**
 * The ids of one repository's tests: version-5 UUIDs in the URL namespace, equal to those that
 * existing uploaders compute. Not for use by several threads at once.
 */
public final class TestIds {
  private static final byte[] URL_NAMESPACE =
      HexFormat.of().parseHex("6ba7b8119dad11d180b400c04fd430c8");

  private final MessageDigest sha1;
  private final String repository;

  /** {@code repository} is written {@code host/owner/name}. */
  public TestIds(String organization, String repository) {
    this.repository = organization + "#" + repository + "#";
    try {
      sha1 = MessageDigest.getInstance("SHA-1");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public UUID of(TestIdentity test) {
    String text =
        repository
            + test.file()
            + "#"
            + test.className()
            + "#"
            + test.parent()
            + "#"
            + test.name()
            + "#JUNIT_TESTCASE";
    if (test.variant().isEmpty()) {
      return version5(text);
    }
    UUID plain = version5(text + "#" + test.variant());
    return version5(plain + "#" + test.variant());
  }

  private UUID version5(String text) {
    sha1.update(URL_NAMESPACE);
    ByteBuffer hash = ByteBuffer.wrap(sha1.digest(text.getBytes(StandardCharsets.UTF_8)));
    long high = (hash.getLong() & 0xffffffffffff0fffL) | 0x5000L;
    long low = (hash.getLong() & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(high, low);
  }
}
