package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Glob;
import dev.mainstay.server.health.result.UploadOrigin;
import dev.mainstay.server.platform.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/**
 * A hash of the files and the origin of an upload: uploads with the same one are the same upload.
 */
public final class ContentKey {
  private ContentKey() {}

  public static byte[] of(UploadOrigin about, List<UploadedFile> files, List<Glob> ignore) {
    MessageDigest digest = Sha256.digest();
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
    for (Glob glob : ignore) {
      add(digest, glob.pattern());
    }
    return digest.digest();
  }

  /** A number that texts which differ do not share, as far as chance allows. */
  static long number(String text) {
    return ByteBuffer.wrap(Sha256.of(text)).getLong();
  }

  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(4).putInt(0, bytes.length));
    digest.update(bytes);
  }
}
