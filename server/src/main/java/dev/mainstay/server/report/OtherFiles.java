package dev.mainstay.server.report;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Files that no reader is for. People send whole folders, so what is plainly no test report is
 * ignored; everything else may hold results, and is told as unreadable.
 */
final class OtherFiles {
  /** Root elements of files that lie beside reports. */
  private static final Map<String, String> ROOTS =
      Map.ofEntries(
          Map.entry("failsafe-summary", "a summary of Failsafe"),
          Map.entry("suite", "a suite file of TestNG"),
          Map.entry("coverage", "a coverage report"),
          Map.entry("CoverageSession", "a coverage report"),
          Map.entry("CoverageDSPriv", "a coverage report"),
          Map.entry("report", "a coverage report of JaCoCo"),
          Map.entry("checkstyle", "a report of Checkstyle"),
          Map.entry("pmd", "a report of PMD"),
          Map.entry("pmd-cpd", "a report of PMD"),
          Map.entry("BugCollection", "a report of SpotBugs"),
          Map.entry("project", "a build file"),
          Map.entry("html", "HTML"),
          Map.entry("HTML", "HTML"),
          Map.entry("svg", "an image"));

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
      case '{' -> json(file, text);
      default -> mayHoldXml(text, end) ? Optional.empty() : Optional.of(neither(file, end, text));
    };
  }

  /** Text may stand before the XML of a report; in a log it mostly is no report. */
  private static boolean mayHoldXml(String text, String end) {
    return text.contains("<testsuite")
        || (!TEXTS.contains(end) && (text.contains("<?xml") || text.contains("<\0?\0x\0m\0l")));
  }

  private static Optional<Skipped> json(String file, String text) {
    if (text.contains("sarif") && text.contains("\"$schema\"")) {
      return Optional.of(Skipped.ignored(file, "a SARIF report"));
    }
    return text.contains("\"statementMap\"") || text.contains("\"pct\"")
        ? Optional.of(Skipped.ignored(file, "a coverage report"))
        : Optional.empty();
  }

  /** An XML file whose root is no report that is read. */
  static Skipped ofRoot(String file, String root) {
    String known = ROOTS.get(root);
    return known != null
        ? Skipped.ignored(file, known)
        : Skipped.unreadable(file, 0, "<%s> is no test report that is read here".formatted(root));
  }

  private static Skipped neither(String file, String end, String text) {
    if (REPORTS.contains(end)
        || text.matches("(?s)(TAP version \\d+|1\\.\\.\\d+|(not )?ok 1\\b).*")) {
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
    return ARCHIVES.stream().anyMatch(text::startsWith);
  }

  private static boolean isHtml(String text) {
    String start = text.stripLeading().toLowerCase(Locale.ROOT);
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
