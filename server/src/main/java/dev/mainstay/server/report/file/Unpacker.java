package dev.mainstay.server.report.file;

import com.github.luben.zstd.ZstdInputStream;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.UnpackedTooMuch;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.ArchiveEntry;
import org.apache.commons.compress.archivers.ArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The files inside an upload: the upload itself, or those of a tar, tar.gz, tar.zst or zip. They
 * are read one after the other in the order they come and never written anywhere. A broken archive
 * gives the files before the break.
 */
public final class Unpacker {
  private static final int TAR_MAGIC_END = 265;
  private static final int HEADER_ALLOWANCE = 1024 * 1024;

  /** Takes each file. It need not read it to its end. */
  public interface FileVisitor {
    void file(String name, InputStream content) throws IOException;
  }

  private final FileVisitor visitor;
  private final ReportSink sink;
  private final long[] bytesLeft;
  private int filesLeft = Limits.FILES;

  public Unpacker(FileVisitor visitor, ReportSink sink) {
    this(visitor, sink, Limits.UNPACKED_BYTES);
  }

  Unpacker(FileVisitor visitor, ReportSink sink, long maxBytes) {
    this.visitor = visitor;
    this.sink = sink;
    this.bytesLeft = new long[] {maxBytes};
  }

  /** Visits every file; throws {@link UnpackedTooMuch} as soon as a limit is passed. */
  public void unpack(String name, InputStream stream) throws IOException {
    String label = Reports.label(name);
    try {
      unpackCompressed(name, label, buffered(stream));
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      sink.skipped(Skipped.unreadable(label, 0, "it cannot be unpacked: " + reason(e)));
    }
  }

  private void unpackCompressed(String name, String label, BufferedInputStream in)
      throws IOException {
    byte[] start = start(in, 4);
    if (startsWith(start, 0x1f, 0x8b)) {
      try (var unzipped = buffered(new Meter(new GZIPInputStream(in, 64 * 1024), bytesLeft))) {
        unpackPlain(withoutSuffix(name, ".gz"), label, unzipped);
      }
    } else if (startsWith(start, 0x28, 0xb5, 0x2f, 0xfd)) {
      try (var unzipped = buffered(new Meter(new ZstdInputStream(in), bytesLeft))) {
        unpackPlain(withoutSuffix(name, ".zst"), label, unzipped);
      }
    } else {
      unpackPlain(name, label, in);
    }
  }

  private void unpackPlain(String name, String label, BufferedInputStream in) throws IOException {
    byte[] start = start(in, TAR_MAGIC_END);
    if (TarArchiveInputStream.matches(start, start.length)) {
      // The archive's own blocks are metered too, so that its headers have a bound.
      var metered = new Meter(in, new long[] {Long.MAX_VALUE});
      unpackArchive(label, metered, new TarArchiveInputStream(metered, "UTF-8"));
    } else if (startsWith(start, 'P', 'K', 3, 4) || startsWith(start, 'P', 'K', 5, 6)) {
      var metered = new Meter(in, new long[] {Long.MAX_VALUE});
      unpackArchive(label, metered, new ZipArchiveInputStream(metered, "UTF-8", true, true));
    } else {
      visit(name, in);
    }
  }

  /** The first bytes, which stay to be read; fewer where the stream ends or breaks. */
  private static byte[] start(BufferedInputStream in, int length) throws IOException {
    byte[] start = new byte[length];
    int at = 0;
    in.mark(length);
    try {
      int n = 0;
      while (n >= 0 && at < length) {
        n = in.read(start, at, length - at);
        at += Math.max(n, 0);
      }
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      if (at == 0) {
        throw e;
      }
    }
    in.reset();
    return Arrays.copyOf(start, at);
  }

  private void unpackArchive(String label, Meter headers, ArchiveInputStream<?> archive)
      throws IOException {
    int read = 0;
    try {
      for (var entry = next(archive, headers); entry != null; entry = next(archive, headers)) {
        visitEntry(entry, archive);
        read++;
      }
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      sink.skipped(
          Skipped.unreadable(
              label, 0, "the archive is broken after %d entries: %s".formatted(read, reason(e))));
    }
  }

  private static @Nullable ArchiveEntry next(ArchiveInputStream<?> archive, Meter headers)
      throws IOException {
    headers.allow(HEADER_ALLOWANCE);
    try {
      return archive.getNextEntry();
    } catch (RuntimeException e) {
      throw new IOException("not readable", e);
    } finally {
      headers.allow(Long.MAX_VALUE);
    }
  }

  private void visitEntry(ArchiveEntry entry, ArchiveInputStream<?> archive) throws IOException {
    var content = new Meter(archive, bytesLeft);
    String refused = entry.isDirectory() ? "" : refusal(entry, archive);
    if (!refused.isEmpty()) {
      sink.skipped(Skipped.unreadable(Reports.label(entry.getName()), 0, refused));
    } else if (!entry.isDirectory()) {
      visit(entry.getName(), content);
    }
    // Not left to the archive: what it skips by itself is not counted.
    content.transferTo(java.io.OutputStream.nullOutputStream());
  }

  private void visit(String name, InputStream content) throws IOException {
    if (--filesLeft < 0) {
      throw new UnpackedTooMuch("The upload holds more than %d files.".formatted(Limits.FILES));
    }
    visitor.file(name, content);
  }

  /** The reason why an entry is not read; empty where it is read. */
  private static String refusal(ArchiveEntry entry, ArchiveInputStream<?> archive) {
    if (entry instanceof TarArchiveEntry tar) {
      if (tar.isSymbolicLink() || tar.isLink()) {
        return "a link";
      }
      if (tar.isCharacterDevice() || tar.isBlockDevice() || tar.isFIFO() || tar.isSparse()) {
        return "not a regular file";
      }
    }
    if (entry instanceof ZipArchiveEntry zip) {
      if (zip.isUnixSymlink()) {
        return "a link";
      }
      if (archive instanceof ZipArchiveInputStream stream && !stream.canReadEntryData(zip)) {
        return "packed or encrypted in a way that is not read";
      }
    }
    return leadsOutside(entry.getName()) ? "its path leads outside the archive" : "";
  }

  private static boolean leadsOutside(String name) {
    String path = name.replace('\\', '/');
    return path.startsWith("/")
        || path.matches("[A-Za-z]:.*")
        || Arrays.asList(path.split("/")).contains("..");
  }

  private static BufferedInputStream buffered(InputStream in) {
    return new BufferedInputStream(in, 64 * 1024);
  }

  private static boolean startsWith(byte[] bytes, int... start) {
    for (int i = 0; i < start.length; i++) {
      if (i >= bytes.length || (bytes[i] & 0xff) != start[i]) {
        return false;
      }
    }
    return true;
  }

  private static String withoutSuffix(String name, String suffix) {
    return name.endsWith(suffix) ? name.substring(0, name.length() - suffix.length()) : name;
  }

  private static String reason(IOException e) {
    return Texts.clean(Texts.firstLine(String.valueOf(e.getMessage())));
  }
}
