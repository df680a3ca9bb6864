package dev.mainstay.server.report.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.core.health.Outcome;
import dev.mainstay.server.report.Missing;
import dev.mainstay.server.report.Skipped;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reports of small suites that pass, fail, skip, retry, crash and hang, as their tools wrote them.
 * Beside each lies what it is read as; with {@code -Dgolden.write=true} that is written anew.
 */
class FixturesTest {
  private static final int CUTS = 40;

  /** Reports, and what their tools printed: passed, failed, errors outside of tests, skipped. */
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "jest.json, 4, 3, 1, 2",
    "vitest.json, 2, 1, 1, 2",
    "mocha.json, 3, 4, 0, 2",
    "mocha-ctrf.json, 3, 4, 0, 2",
    "playwright.json, 4, 6, 0, 4",
    "pytest-ctrf.json, 3, 4, 0, 2",
    "go-test.json, 6, 4, 5, 1",
    "nunit3.xml, 2, 1, 3, 1",
    "nunit2.xml, 1, 1, 1, 1",
    "xunit.xml, 2, 1, 1, 1",
    "xunit3.xml, 1, 1, 0, 1",
    "testng-results.xml, 3, 5, 0, 3",
    "catch2.xml, 3, 4, 0, 0",
    "ctest.xml, 2, 3, 1, 2",
    "boost-log.xml, 2, 2, 1, 2",
    "boost-report.xml, 3, 0, 2, 1",
    "robot.xml, 2, 3, 0, 2",
    "rspec.json, 2, 3, 0, 2",
    "cucumber.json, 5, 1, 1, 1",
    "cucumber.ndjson, 5, 1, 1, 1",
    "libtest.json, 2, 3, 0, 1",
    "libtest-abort.json, 1, 0, 1, 0",
    "dart.json, 1, 1, 2, 1",
    "bazel-bep.json, 2, 1, 0, 1",
    "vitest.tap, 2, 2, 0, 2",
    "node.tap, 2, 1, 0, 2",
    "perl.tap, 2, 2, 0, 2",
    "allure-test_removes.json, 0, 1, 0, 0",
    "allure-test_setup.json, 0, 0, 1, 0",
    "robot-legacy.xml, 2, 3, 0, 2",
  })
  void the_counts_are_those_that_the_tool_printed(
      String report, int passed, int failed, int errored, int skipped) throws IOException {
    Reading reading = Reading.of(bytes(report));
    assertThat(reading.ended(Outcome.PASSED)).as("passed").isEqualTo(passed);
    assertThat(reading.ended(Outcome.FAILED)).as("failed").isEqualTo(failed);
    assertThat(reading.ended(Outcome.ERRORED)).as("errored").isEqualTo(errored);
    assertThat(reading.ended(Outcome.SKIPPED)).as("skipped").isEqualTo(skipped);
    assertThat(reading.reports).isEqualTo(1);
    assertThat(reading.missing).isEmpty();
  }

  @Test
  void a_failure_that_only_the_summary_counts_is_missing() throws IOException {
    // The reporter calls a test passed that should have failed, and counts it as failed.
    assertThat(Reading.of(bytes("playwright-ctrf.json")).missing)
        .containsExactly(new Missing("upload", 6, 5));
  }

  @Test
  void an_error_outside_of_examples_is_a_failure() throws IOException {
    var run = Reading.of(bytes("rspec-broken.json")).only();
    assertThat(run.name()).isEqualTo("rspec");
    assertThat(run.failure().orElseThrow().message()).contains("cannot load such file");
  }

  @Test
  void what_lies_beside_results_of_allure_is_ignored() throws IOException {
    Reading reading = Reading.of(bytes("allure-container.json"));
    assertThat(reading.reports).isZero();
    assertThat(reading.skips).extracting(Skipped::kind).containsExactly(Skipped.Kind.IGNORED);
  }

  @Test
  void lines_that_a_build_tool_printed_before_a_report_do_no_harm() throws IOException {
    String said = "\n> shop@1.0.0 test\n> jest --json\n\n";
    String jest = new String(bytes("jest.json"), StandardCharsets.UTF_8);
    assertThat(Reading.of(said + jest).story()).isEqualTo(Reading.of(jest).story());
  }

  /** Each text joined to all before it would take the rest of the day. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"numTotalTests\":1,\"testResults\":[{\"assertionResults\":[{\"title\":\"t\",\"ancestorTitles\":[;\"a\",;\"b\"]}]}]}",
        "{\"reportFormat\":\"CTRF\",\"results\":{\"tests\":[{\"name\":\"t\",\"status\":\"passed\",\"suite\":[;\"a\",;\"b\"]}]}}",
        "<testng-results><suite><test><class><test-method name='t' status='PASS'><params>;<p>a</p>;</params></test-method></class></test></suite></testng-results>"
      })
  void millions_of_parts_of_a_name_do_no_harm(String before, String part, String after)
      throws IOException {
    var run = Reading.of(before + part.repeat(2_000_000) + after).only();
    assertThat(run.outcome()).isEqualTo(Outcome.PASSED);
    assertThat(run.name()).startsWith("t");
  }

  static Stream<String> reports() throws IOException {
    try (InputStream list = FixturesTest.class.getResourceAsStream("/reports/list")) {
      return new String(list.readAllBytes(), StandardCharsets.UTF_8).lines().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("reports")
  void everything_that_a_report_says_is_read(String report) throws IOException {
    String read = Reading.of(bytes(report)).story();
    if (Boolean.getBoolean("golden.write")) {
      Files.writeString(Path.of("src/test/resources/reports", report + ".read"), read);
    }
    assertThat(read).isEqualTo(new String(bytes(report + ".read"), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @MethodSource("reports")
  void what_is_behind_a_report_in_an_archive_is_read_too(String report) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var zip = new ZipOutputStream(packed)) {
      zip.putNextEntry(new ZipEntry(report));
      zip.write(bytes(report));
      zip.putNextEntry(new ZipEntry("last.xml"));
      zip.write("<testsuite><testcase name='last'/></testsuite>".getBytes(StandardCharsets.UTF_8));
    }
    List<String> alone = Reading.of(bytes(report)).lines();
    List<String> both = Reading.of(packed.toByteArray()).lines();
    assertThat(both).hasSize(alone.size() + 1).startsWith(alone.toArray(String[]::new));
  }

  /** What came before a break is kept, and the break is told or hides no result. */
  @ParameterizedTest
  @MethodSource("reports")
  void a_report_that_is_cut_off_gives_what_came_before(String report) throws IOException {
    byte[] whole = bytes(report);
    List<String> all = Reading.of(whole).lines();
    int most = 0;
    for (int i = 1; i < CUTS; i++) {
      Reading cut = Reading.of(Arrays.copyOf(whole, (int) ((long) whole.length * i / CUTS)));
      assertThat(cut.lines().size()).isLessThanOrEqualTo(all.size() + 1);
      if (cut.lines().size() < all.size()) {
        assertThat(cut.skips.size() + cut.missing.size()).as("cut at %d/%d", i, CUTS).isPositive();
      }
      most = Math.max(most, cut.lines().size());
    }
    if (all.size() > 1) {
      assertThat(most).as("some of it is read").isPositive();
    }
  }

  /** A line that is whole does not tell that more should follow. */
  @ParameterizedTest
  @MethodSource("reports")
  void a_report_that_ends_behind_a_line_is_told_to_be_cut_off(String report) throws IOException {
    byte[] whole = bytes(report);
    List<String> all = Reading.of(whole).lines();
    List<Integer> ends =
        IntStream.range(1, whole.length - 1).filter(i -> whole[i - 1] == '\n').boxed().toList();
    for (int end : ends.subList(Math.max(0, ends.size() - CUTS), ends.size())) {
      Reading cut = Reading.of(Arrays.copyOf(whole, end));
      if (!cut.lines().equals(all) && !isBetweenPackagesOfGo(whole, end)) {
        assertThat(cut.skips.size() + cut.missing.size()).as("cut at %d", end).isPositive();
      }
    }
  }

  /** True where a package has ended: nothing in what Go writes announces the next one. */
  private static boolean isBetweenPackagesOfGo(byte[] report, int end) {
    String line = new String(report, 0, end, StandardCharsets.UTF_8).lines().toList().getLast();
    return line.matches(
        "\\{.*\"Action\":\"(pass|fail|skip)\",\"Package\":\"[^\"]*\",\"Elapsed\":.*");
  }

  /** Nothing that stands in a report can do more than make it unreadable. */
  @ParameterizedTest
  @MethodSource("reports")
  void values_of_wrong_kinds_do_no_harm(String report) throws IOException {
    String whole = new String(bytes(report), StandardCharsets.UTF_8);
    List<String> odd =
        List.of(
            "null",
            "-1e999",
            "{}",
            "[]",
            "[[{\"a\":[]}]]",
            "\"\\ud800\\u0000\"",
            "true",
            "9".repeat(900));
    var random = new Random(7);
    for (int i = 0; i < 15; i++) {
      int every = 1 + random.nextInt(6);
      String changed =
          Pattern.compile("(\":\\s*)(\"[^\"\\\\]*\"|-?[0-9.]+|\\{|\\[|null|true|false)")
              .matcher(whole)
              .replaceAll(
                  match ->
                      random.nextInt(every) == 0
                          ? Matcher.quoteReplacement(
                              match.group(1) + odd.get(random.nextInt(odd.size())))
                          : Matcher.quoteReplacement(match.group()));
      Reading.of(changed);
    }
    Reading.of(whole.replaceFirst("(?s)(.*?\\{.*?)\\{", "$1" + "{\"x\":".repeat(1000) + "{"));
    String endless = "x".repeat(9_000_000);
    Reading.of(whole.replaceFirst("\"name\"", "\"name\":\"" + endless + "\",\"name\""));
    Reading.of(whole.replaceAll("=\"[^\"]*\"", "=\"&lol;-1e999\""));
    Reading.of(whole.replaceAll("<(\\w+)", "<$1><$1"));
  }

  private static byte[] bytes(String report) throws IOException {
    try (InputStream in = FixturesTest.class.getResourceAsStream("/reports/" + report)) {
      return in == null ? new byte[0] : in.readAllBytes();
    }
  }
}
