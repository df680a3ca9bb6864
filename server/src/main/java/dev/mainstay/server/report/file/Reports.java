package dev.mainstay.server.report.file;

import dev.mainstay.core.health.text.BoundedText;
import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportSink;
import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import dev.mainstay.server.report.json.JsonReports;
import dev.mainstay.server.report.text.Tap;
import dev.mainstay.server.report.xml.XmlReports;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads a file of unknown kind. Its content tells the kind; names and content types may lie. */
public final class Reports {
  private static final int SNIFFED = 64 * 1024;
  private static final int MOST_LOOKS = 20;

  private Reports() {}

  public static void read(InputStream stream, String fileName, ReportSink sink) throws IOException {
    String file = label(fileName);
    var in = SniffedStream.of(stream, SNIFFED);
    if (Utf16Stream.begins(in.start()) && Texts.firstMeaningful(in.start()) != '<') {
      in = SniffedStream.of(new Utf16Stream(in), SNIFFED);
    }
    byte[] start = in.start();
    Optional<JsonReports.Found> json = json(start);
    if (json.isPresent()) {
      if (in.isWhole()) {
        json.get().readWhole(start, file, sink);
      } else {
        json.get().read(in, file, sink);
      }
      return;
    }
    if (Texts.firstMeaningful(start) != '<' && Tap.isTap(start)) {
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

  /** A file's name as shown to people. */
  public static String label(String name) {
    String clean = isPlain(name) ? name : oneLine(name);
    return clean.isBlank() ? "report" : BoundedText.name(clean, Limits.FILE_LABEL_LENGTH);
  }

  private static boolean isPlain(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (name.charAt(i) < ' ' || name.charAt(i) >= 127) {
        return false;
      }
    }
    return true;
  }

  private static String oneLine(String name) {
    return Texts.clean(name).replace('\r', ' ').replace('\n', ' ').replace('\t', ' ');
  }
}
