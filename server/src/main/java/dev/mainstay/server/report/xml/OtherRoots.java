package dev.mainstay.server.report.xml;

import dev.mainstay.server.report.Skipped;
import java.util.Map;

/** XML files that no reader is for. Those that lie beside reports are ignored. */
final class OtherRoots {
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

  private OtherRoots() {}

  /** An XML file whose root is no report that is read. */
  static Skipped find(String file, String root) {
    String known = ROOTS.get(root);
    return known != null
        ? Skipped.ignored(file, known)
        : Skipped.unreadable(file, 0, "<%s> is no test report that is read here".formatted(root));
  }
}
