package dev.mainstay.server.report.file;

import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.UnpackedTooMuch;
import dev.mainstay.server.report.json.JsonReports;
import dev.mainstay.server.report.text.Tap;
import dev.mainstay.server.report.xml.XmlReports;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/** Reads a file of unknown kind. Its content tells the kind; names and content types may lie. */
public final class Reports {
  private static final int SNIFFED = 64 * 1024;
  private static final int MOST_LOOKS = 20;

  private Reports() {}

  public static void read(InputStream stream, String fileName, ReportSink sink) throws IOException {
    String file = label(fileName);
    var in = new BufferedInputStream(stream, SNIFFED);
    byte[] start = start(in, SNIFFED);
    Optional<JsonReports.Found> json = json(start);
    if (json.isPresent()) {
      json.get().read(in, file, sink);
      return;
    }
    if (Tap.isTap(start)) {
      Tap.read(in, file, sink);
      return;
    }
    Optional<Skipped> other = OtherFiles.find(file, start);
    if (other.isPresent()) {
      sink.skipped(other.get());
    } else {
      XmlReports.read(in, file, sink);
    }
  }

  /** A report in JSON, which may have lines of text before it: what the build tool said. */
  private static Optional<JsonReports.Found> json(byte[] start) {
    int first = Texts.firstMeaningful(start);
    if (first == '{' || first == '[') {
      return JsonReports.find(start, 0).or(() -> behindText(start));
    }
    return first == '<' ? Optional.empty() : behindText(start);
  }

  private static Optional<JsonReports.Found> behindText(byte[] start) {
    int looked = 0;
    for (int i = 1; i < start.length && looked < MOST_LOOKS; i++) {
      if (start[i - 1] == '\n' && (start[i] == '{' || start[i] == '[')) {
        Optional<JsonReports.Found> found = JsonReports.find(start, i);
        if (found.isPresent()) {
          return found;
        }
        looked++;
      }
    }
    return Optional.empty();
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
