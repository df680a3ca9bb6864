package dev.mainstay.server.health.ingest;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * An upload made up of reports of all kinds, broken ones among them, and the truth about it: which
 * tests failed, and whether anything could not be read.
 */
final class RandomUpload {
  private static final int MOST_FILES = 5;
  private static final int MOST_CASES = 4;
  private static final int NAMES = 6;
  private static final List<String> TIMES =
      List.of(
          "",
          "timestamp='2019-01-01T00:00:00Z'",
          "timestamp='2026-03-01T11:00:00Z'",
          "timestamp='2098-01-01T00:00:00Z'",
          "timestamp='never'");

  private final Random random;
  private final List<SentFile> files = new ArrayList<>();

  /** Tests that failed, by a name that tells readers apart: only those of JUnit are quarantined. */
  final Set<String> failed = new HashSet<>();

  boolean incomplete;
  boolean hasReport;

  RandomUpload(long seed) {
    random = new Random(seed);
    for (int i = 1 + random.nextInt(MOST_FILES); i > 0; i--) {
      addFile("f" + i);
    }
  }

  /** The files as they are sent, now and then packed. */
  List<SentFile> files() {
    return random.nextInt(3) == 0 ? List.of(SentFile.zip(files)) : files;
  }

  private void addFile(String name) {
    switch (random.nextInt(10)) {
      case 0, 1, 2, 3 -> junit(name);
      case 4 -> trx(name);
      case 5 -> go(name);
      case 6 -> attempts(name);
      case 7 -> unreadable(name);
      default -> add(name + ".txt", "Tests run: 3, Failures: 1", false);
    }
  }

  private void add(String name, String content, boolean isReport) {
    files.add(SentFile.of(name, content));
    hasReport |= isReport;
  }

  private String name() {
    return "t" + random.nextInt(NAMES);
  }

  private void junit(String name) {
    var cases = new StringBuilder();
    int faults = 0;
    for (int i = random.nextInt(MOST_CASES + 1); i > 0; i--) {
      String test = name();
      int form = random.nextInt(9);
      cases.append(junitCase(test, form));
      faults += form == 2 || form == 3 || form == 6 ? 1 : form == 4 ? 2 : form == 5 ? 3 : 0;
      if (form >= 2 && form <= 5) {
        failed.add("junit " + test);
      }
    }
    int more = random.nextInt(8) == 0 ? 1 : 0;
    int announced = random.nextBoolean() ? faults + more : 0;
    incomplete |= announced > faults;
    String inner =
        random.nextBoolean() ? cases.toString() : "<testsuite>%s</testsuite>".formatted(cases);
    add(
        name + ".xml",
        "<testsuite name='S' failures='%d' %s>%s</testsuite>"
            .formatted(announced, TIMES.get(random.nextInt(TIMES.size())), inner),
        true);
  }

  private static String junitCase(String test, int form) {
    String children =
        switch (form) {
          case 1 -> "<skipped/>";
          case 2 -> "<failure message='x'/>";
          case 3 -> "<error/>";
          case 4 -> "<failure/><rerunFailure/>";
          case 5 -> "<error/><rerunError/><system-out>ok</system-out><rerunFailure/>";
          case 6 -> "<flakyFailure/>";
          default -> "";
        };
    return "<testcase classname='C' name='%s'>%s</testcase>".formatted(test, children);
  }

  private void trx(String name) {
    var results = new StringBuilder();
    for (int i = random.nextInt(MOST_CASES + 1); i > 0; i--) {
      String test = name();
      String outcome = List.of("Passed", "NotExecuted", "Failed", "Aborted").get(random.nextInt(4));
      results.append("<UnitTestResult testName='%s' outcome='%s'/>".formatted(test, outcome));
      if (outcome.equals("Failed") || outcome.equals("Aborted")) {
        failed.add("trx " + test);
      }
    }
    add(name + ".trx", "<TestRun><Results>%s</Results></TestRun>".formatted(results), true);
  }

  private void go(String name) {
    var lines = new StringBuilder();
    for (int i = 1 + random.nextInt(MOST_CASES); i > 0; i--) {
      String test = name();
      String action = List.of("pass", "skip", "fail").get(random.nextInt(3));
      lines.append(
          "{\"Action\":\"%s\",\"Package\":\"p\",\"Test\":\"%s\"}\n".formatted(action, test));
      if (action.equals("fail")) {
        failed.add("go " + test);
      }
    }
    add(name + ".json", lines.toString(), true);
  }

  /** Attempts in files of their own: the last that was not skipped decides. */
  private void attempts(String directory) {
    String test = name();
    int count = 1 + random.nextInt(3);
    boolean fails = false;
    var written = new ArrayList<SentFile>();
    for (int i = 1; i <= count; i++) {
      int form = random.nextInt(3);
      fails = form == 1 ? fails : form == 2;
      String path = i == count ? "/test.xml" : "/test_attempts/attempt_" + i + ".xml";
      written.add(
          SentFile.of(
              directory + path,
              "<testsuite name='S'>%s</testsuite>".formatted(junitCase(test, form))));
    }
    if (fails) {
      failed.add("junit " + test);
    }
    java.util.Collections.shuffle(written, random);
    files.addAll(written);
    hasReport = true;
  }

  private void unreadable(String name) {
    incomplete = true;
    switch (random.nextInt(6)) {
      case 0 -> add(name + ".xml", "", false);
      case 1 -> add(name + ".xml", "<test-run failed='1'/>", false);
      case 2 -> add(name + ".json", "{\"numFailedTests\":1}", false);
      case 3 -> add(name + ".xml", "<testsuite name='S'><testcase name='cut'", true);
      case 4 -> add(name + ".xml", "<outcomes><failed name='a'/></outcomes>", false);
      default -> add(name + ".xml", "<TestRun><FailedTest/></TestRun>", false);
    }
  }
}
