package dev.mainstay.server.report;

import dev.mainstay.core.health.text.BoundedText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Reads a file of unknown kind. Its content tells the kind; names and content types may lie. */
public final class Reports {
  private static final int SNIFFED = 4096;

  private Reports() {}

  public static void read(InputStream stream, String fileName, ReportSink sink) throws IOException {
    String file = label(fileName);
    var in = new BufferedInputStream(stream, 64 * 1024);
    byte[] start = start(in, SNIFFED);
    Optional<Skipped> other = OtherFiles.find(file, start);
    if (other.isPresent()) {
      sink.skipped(other.get());
    } else if (Texts.firstMeaningful(start) == '{') {
      new GoTestJson(file, sink).read(in);
    } else {
      XmlReports.read(in, file, sink);
    }
  }

  /** The first bytes, which stay to be read; fewer where the stream ends or breaks. */
  static byte[] start(BufferedInputStream in, int length) throws IOException {
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

  /** A file's name as shown to people. */
  public static String label(String name) {
    String clean = Texts.clean(name).replaceAll("[\\r\\n\\t]", " ");
    return clean.isBlank() ? "report" : BoundedText.name(clean, Limits.FILE_LABEL_LENGTH);
  }
}
