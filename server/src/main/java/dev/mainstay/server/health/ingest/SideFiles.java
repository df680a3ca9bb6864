package dev.mainstay.server.health.ingest;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.Owners;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.report.file.Unpacker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Small files among the reports that must be known before the reports are read, wherever in an
 * archive they stand: so archives are unpacked once more, for these alone.
 */
public final class SideFiles {
  private SideFiles() {}

  static Optional<String> codeOwners(List<UploadedFile> files) {
    return find(files, Owners::isCodeOwnersFile, Limits.CODEOWNERS_BYTES)
        .map(bytes -> new String(bytes, StandardCharsets.UTF_8).replace("\0", ""));
  }

  /** Empty where this is too large, or no text. */
  public static Optional<String> codeOwners(byte[] file) {
    String text = new String(file, StandardCharsets.UTF_8);
    return file.length > Limits.CODEOWNERS_BYTES || text.indexOf('\0') >= 0
        ? Optional.empty()
        : Optional.of(text);
  }

  static Optional<byte[]> find(List<UploadedFile> files, Predicate<String> isIt, int maxBytes) {
    var found = new ArrayList<byte[]>();
    var unpacker =
        new Unpacker(
            (name, content) -> {
              if (found.isEmpty() && isIt.test(name)) {
                byte[] bytes = content.readNBytes(maxBytes + 1);
                if (bytes.length <= maxBytes) {
                  found.add(bytes);
                }
              }
            },
            new Nobody());
    try {
      for (UploadedFile file : files) {
        unpacker.unpack(file.name(), file.open());
      }
    } catch (UnpackedTooMuch e) {
      // Told when the reports are read.
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return found.stream().findFirst();
  }

  private static final class Nobody implements ReportSink {
    @Override
    public boolean run(ReportedRun run) {
      return true;
    }

    @Override
    public void skipped(Skipped skipped) {}
  }
}
