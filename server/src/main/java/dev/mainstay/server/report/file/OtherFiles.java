package dev.mainstay.server.report.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.mainstay.server.report.Skipped;
import dev.mainstay.server.report.Texts;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Files that no reader is for. People send whole folders, so what is plainly no test report is
 * ignored; everything else may hold results, and is told as unreadable.
 */
final class OtherFiles {
  /** Ends of names of what is text for people; such a file may be empty. */
  private static final Set<String> TEXTS =
      Set.of(
          "txt",
          "log",
          "out",
          "err",
          "dump",
          "dumpstream",
          "html",
          "htm",
          "css",
          "js",
          "map",
          "md",
          "properties",
          "yml",
          "yaml",
          "sarif",
          "exec",
          "ec",
          "info",
          "lcov",
          "gcov",
          "snap");

  /** Ends of names that promise a report. */
  private static final Set<String> REPORTS = Set.of("xml", "json", "jsonl", "ndjson", "trx", "tap");

  private static final List<String> ARCHIVES =
      List.of(
          "\u001f\u008b",
          "PK\u0003\u0004",
          "(\u00b5/\u00fd",
          "BZh",
          "\u00fd7zXZ",
          "7z\u00bc\u00af");

  private OtherFiles() {}

  /** Empty where a reader should try. */
  static Optional<Skipped> find(String file, byte[] start) {
    String text = new String(start, ISO_8859_1);
    String end = end(file);
    int first = Texts.firstMeaningful(start);
    if (first == Texts.NOTHING && isBlank(start)) {
      return Optional.of(
          TEXTS.contains(end)
              ? Skipped.ignored(file, "an empty text")
              : Skipped.unreadable(file, 0, "the file is empty"));
    }
    if (isArchive(text)) {
      return Optional.of(
          end.equals("jar") || end.equals("war")
              ? Skipped.ignored(file, "compiled code")
              : Skipped.unreadable(file, 0, "an archive inside an archive is not opened"));
    }
    return switch (first) {
      case '<' -> isHtml(text) ? Optional.of(Skipped.ignored(file, "HTML")) : Optional.empty();
      case '{' -> Optional.of(json(file, text));
      default -> mayHoldXml(text, end) ? Optional.empty() : Optional.of(neither(file, end, text));
    };
  }

  /** Text may stand before the XML of a report; in a log it mostly is no report. */
  private static boolean mayHoldXml(String text, String end) {
    return text.contains("<testsuite")
        || (!TEXTS.contains(end) && (text.contains("<?xml") || text.contains("<\0?\0x\0m\0l")));
  }

  private static Skipped json(String file, String text) {
    if (text.contains("sarif") && text.contains("\"$schema\"")) {
      return Skipped.ignored(file, "a SARIF report");
    }
    return text.contains("\"statementMap\"") || text.contains("\"pct\"")
        ? Skipped.ignored(file, "a coverage report")
        : Skipped.unreadable(file, 0, "this JSON is no test report that is read here");
  }

  private static Skipped neither(String file, String end, String text) {
    if (REPORTS.contains(end)) {
      return Skipped.unreadable(file, 0, "this is no test report that is read here");
    }
    if (text.indexOf('\0') >= 0) {
      return Skipped.ignored(file, "no text");
    }
    return TEXTS.contains(end)
        ? Skipped.ignored(file, "text beside reports")
        : Skipped.unreadable(file, 0, "this is no test report that is read here");
  }

  private static boolean isArchive(String text) {
    for (String archive : ARCHIVES) {
      if (text.startsWith(archive)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isHtml(String text) {
    String stripped = text.stripLeading();
    String start = stripped.substring(0, Math.min(stripped.length(), 20)).toLowerCase(Locale.ROOT);
    return start.startsWith("<!doctype html") || start.startsWith("<html");
  }

  private static boolean isBlank(byte[] bytes) {
    for (byte b : bytes) {
      if ((b & 0xff) > ' ') {
        return false;
      }
    }
    return true;
  }

  /** The end of a name after its last point, in lower case. */
  private static String end(String file) {
    int point = file.lastIndexOf('.');
    return point < 0 ? "" : file.substring(point + 1).toLowerCase(Locale.ROOT);
  }
}
