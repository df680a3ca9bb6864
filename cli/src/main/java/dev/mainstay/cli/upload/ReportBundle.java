package dev.mainstay.cli.upload;

import com.github.luben.zstd.ZstdOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * Reports packed for sending. The same files always give the same bytes, so that a repeated upload
 * is known as one.
 */
final class ReportBundle {
  private static final int FULL_BYTES = 12 * 1024 * 1024;
  private static final long MOST_UNPACKED = 900L * 1024 * 1024;
  private static final int MOST_FILES = 10_000;

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final TarArchiveOutputStream tar;
  private int files;
  private long unpacked;

  private ReportBundle() throws IOException {
    tar = new TarArchiveOutputStream(new ZstdOutputStream(bytes, 6), "UTF-8");
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    tar.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
  }

  /** As many bundles as it takes to keep each below what the server accepts. */
  static List<byte[]> pack(Path root, List<Path> reports, List<Path> codeOwners) {
    var bundles = new ArrayList<byte[]>();
    try {
      var bundle = new ReportBundle();
      for (Path report : reports) {
        long size = Files.size(root.resolve(report));
        if (bundle.files > 0 && bundle.isFull(size)) {
          bundles.add(bundle.close(root, codeOwners));
          bundle = new ReportBundle();
        }
        bundle.add(root, report);
      }
      bundles.add(bundle.close(root, codeOwners));
      return bundles;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isFull(long next) {
    return bytes.size() >= FULL_BYTES || files >= MOST_FILES || unpacked + next > MOST_UNPACKED;
  }

  private void add(Path root, Path file) throws IOException {
    byte[] content = Files.readAllBytes(root.resolve(file));
    var entry = new TarArchiveEntry(file.toString().replace('\\', '/').replace("../", ""));
    entry.setSize(content.length);
    entry.setModTime(0);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
    tar.flush();
    files++;
    unpacked += content.length;
  }

  private byte[] close(Path root, List<Path> codeOwners) throws IOException {
    for (Path file : codeOwners) {
      add(root, file);
    }
    tar.close();
    return bytes.toByteArray();
  }
}
