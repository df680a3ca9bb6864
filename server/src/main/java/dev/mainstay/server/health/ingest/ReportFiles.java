package dev.mainstay.server.health.ingest;

import dev.mainstay.core.health.Glob;
import dev.mainstay.server.report.Owners;
import dev.mainstay.server.report.SeparateAttempts;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.report.file.Reports;
import dev.mainstay.server.report.file.Unpacker;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;

/** The files of an upload on their way into a batch: archives are unpacked, reports are read. */
final class ReportFiles {
  private final List<Glob> ignore;
  private final UploadBatch batch;
  private final SeparateAttempts results;
  private int reports;

  private ReportFiles(List<Glob> ignore, UploadBatch batch) {
    this.ignore = ignore;
    this.batch = batch;
    this.results = new SeparateAttempts(batch);
  }

  /** Reads all files; returns how many of them were looked into for results. */
  static int read(List<UploadedFile> files, List<Glob> ignore, UploadBatch batch)
      throws UnpackedTooMuch {
    var reading = new ReportFiles(ignore, batch);
    var unpacker = new Unpacker(reading::file, batch);
    try {
      for (UploadedFile file : files) {
        try (var content = file.open()) {
          unpacker.unpack(file.name(), content);
        }
      }
      batch.begins("");
      reading.results.tell();
      return reading.reports;
    } catch (UnpackedTooMuch e) {
      throw e;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void file(String name, InputStream content) throws IOException {
    if (isIgnored(name)) {
      batch.skipped(Skipped.ignored(Reports.label(name), "named by `ignore`"));
    } else if (!isAside(name)) {
      reports++;
      batch.begins(name);
      Reports.read(content, name, results);
    }
  }

  /** True where a pattern fits the path of a file, or its name alone. */
  private boolean isIgnored(String path) {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return ignore.stream().anyMatch(glob -> glob.matches(path) || glob.matches(name));
  }

  /** Files that are known and hold no results. */
  private static boolean isAside(String name) {
    return Owners.isCodeOwnersFile(name)
        || name.equals("meta.json")
        || name.equals("internal.bin")
        || name.equals("bazel_bep.json");
  }
}
