package dev.mainstay.server.health;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;

/** A hash of all an upload holds and says: what has the same one is the same upload. */
final class ContentKey {
  private ContentKey() {}

  static byte[] of(About about, List<UploadedFile> files) {
    MessageDigest digest = sha256();
    for (String part :
        List.of(
            about.repo().key(),
            about.branch(),
            about.commit(),
            about.pullRequest().map(String::valueOf).orElse(""),
            about.job(),
            about.variant(),
            about.ciUrl().orElse(""),
            about.attempt().map(String::valueOf).orElse(""))) {
      add(digest, part);
    }
    for (UploadedFile file : files) {
      add(digest, file.name());
      digest.update(ByteBuffer.allocate(4).putInt(0, file.length()));
      file.addTo(digest);
    }
    return digest.digest();
  }

  static byte[] of(byte[] bytes) {
    return sha256().digest(bytes);
  }

  /** A number that texts which differ do not share, as far as chance allows. */
  static long number(String text) {
    return ByteBuffer.wrap(sha256().digest(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
