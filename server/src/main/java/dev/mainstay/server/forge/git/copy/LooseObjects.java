package dev.mainstay.server.forge.git.copy;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Writes commits into a repository as git does, without a process for each. */
record LooseObjects(Path objects) {
  String write(Commit commit) {
    byte[] content = commit.raw();
    byte[] header = ("commit " + content.length + "\0").getBytes(StandardCharsets.US_ASCII);
    String sha = sha(header, content);
    Path folder = objects.resolve(sha.substring(0, 2));
    Path file = folder.resolve(sha.substring(2));
    try {
      Files.createDirectories(folder);
      Path draft = Files.createTempFile(folder, "tmp_obj_", "");
      try (OutputStream out = compressed(draft)) {
        out.write(header);
        out.write(content);
      }
      // Also over one that is there: a disk that lost power may have left it empty.
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new CacheBroken("A commit cannot be written to " + objects, e);
    }
    return sha;
  }

  private static OutputStream compressed(Path file) throws IOException {
    return new DeflaterOutputStream(
        Files.newOutputStream(file), new Deflater(Deflater.BEST_SPEED), 512);
  }

  private static String sha(byte[] header, byte[] content) {
    try {
      var digest = MessageDigest.getInstance("SHA-1");
      digest.update(header);
      return HexFormat.of().formatHex(digest.digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
