package dev.mainstay.server.health.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mainstay.server.MovableClock;
import dev.mainstay.server.TestDatabase;
import dev.mainstay.server.TestNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * The verdict over small uploads: never green over a failure, and not red for what is no report.
 */
class GateTest {
  private static final String PASS = "<testcase classname='C' name='ok'/>";
  private static final String FAIL = "<testcase classname='C' name='bad'><failure/></testcase>";
  private static final SentFile GOOD = junit("good.xml", "", PASS);

  private static TestNode node;
  private static int repositories;

  @BeforeAll
  static void start() {
    node = TestNode.start(TestDatabase.withTables(), new MovableClock());
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  private static SentFile junit(String name, String attributes, String... cases) {
    return SentFile.of(
        name,
        "<testsuite name='S' %s>%s</testsuite>".formatted(attributes, String.join("", cases)));
  }

  private static SentFile trx(String counters, String... outcomes) {
    var results = new StringBuilder();
    for (int i = 0; i < outcomes.length; i++) {
      results.append(
          "<UnitTestResult testId='%d' testName='C.t%d' outcome='%s'/>"
              .formatted(i, i, outcomes[i]));
    }
    return SentFile.of(
        "r.trx",
        """
        <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>%s</Results>
        <ResultSummary><Counters %s/></ResultSummary></TestRun>
        """
            .formatted(results, counters));
  }

  private static SentFile go(String... events) {
    var lines = new StringBuilder();
    for (String event : events) {
      String[] parts = event.split(" ", -1);
      lines
          .append("{\"Action\":\"%s\",\"Package\":\"p\"".formatted(parts[0]))
          .append(parts.length > 1 ? ",\"Test\":\"%s\"}\n".formatted(parts[1]) : "}\n");
    }
    return SentFile.of("go.json", lines.toString());
  }

  private static SentFile allure(String history, int start, String status) {
    return SentFile.of(
        "allure-results/%d-result.json".formatted(start),
        """
        {"uuid":"%d","name":"adds","fullName":"shop.Cart#adds","status":"%s","historyId":"%s","start":%d,"stop":%d}
        """
            .formatted(
                start, status, history, 1_772_359_200_000L + start, 1_772_359_200_001L + start));
  }

  /** Uploads that may pass. */
  static Stream<Arguments> green() {
    return Stream.of(
        arguments("a report in which all passed", List.of(GOOD)),
        arguments("a report without cases", List.of(junit("none.xml", "tests='0'"))),
        arguments("an old pass", List.of(junit("a.xml", "timestamp='2020-01-01T00:00:00Z'", PASS))),
        arguments(
            "a future pass", List.of(junit("a.xml", "timestamp='2099-01-01T00:00:00'", PASS))),
        arguments(
            "a skip", List.of(junit("a.xml", "", "<testcase name='s'><skipped/></testcase>"))),
        arguments(
            "a failure that passed on retry",
            List.of(junit("a.xml", "", "<testcase name='f'><flakyFailure/></testcase>"))),
        arguments(
            "an error that passed on retry",
            List.of(junit("a.xml", "", "<testcase name='f'><flakyError/></testcase>"))),
        arguments("fewer cases than announced", List.of(junit("a.xml", "tests='9'", PASS))),
        arguments(
            "as many failed attempts as announced",
            List.of(
                junit("a.xml", "failures='1'", "<testcase name='f'><flakyFailure/></testcase>"))),
        arguments("the same test in two reports", List.of(GOOD, GOOD.named("again.xml"))),
        arguments(
            "a last attempt that passed",
            List.of(
                junit("t/test_attempts/attempt_1.xml", "", FAIL),
                junit("t/test.xml", "", "<testcase classname='C' name='bad'/>"))),
        arguments(
            "a last attempt that passed and comes first",
            List.of(
                junit("t/test.xml", "", "<testcase classname='C' name='bad'/>"),
                junit("t/test_attempts/attempt_1.xml", "", FAIL),
                junit("t/test_attempts/attempt_2.xml", "", FAIL))),
        arguments(
            "results of Allure of which the last passed, and comes first",
            List.of(allure("h", 3, "passed"), allure("h", 1, "failed"), allure("h", 2, "broken"))),
        arguments(
            "a test that was skipped and ran at last",
            List.of(allure("h", 2, "skipped"), allure("h", 1, "passed"))),
        arguments("an archive", List.of(SentFile.zip(List.of(GOOD)))),
        arguments("a .trx", List.of(trx("total='1' failed='0'", "Passed"))),
        arguments("a .trx without results", List.of(trx("total='0'"))),
        arguments("a log of Boost.Test without cases", List.of(SentFile.of("a.xml", "<TestLog/>"))),
        arguments(
            "CTest",
            List.of(
                SentFile.of(
                    "Test.xml",
                    "<Site><Testing><Test Status='passed'><Name>a</Name></Test></Testing></Site>"))),
        arguments("go test", List.of(go("start", "run T", "pass T", "pass"))),
        arguments("go test that skips", List.of(go("start", "run T", "skip T", "pass"))),
        arguments("go test without the beginning", List.of(go("pass T"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("green")
  void it_opens_for(String what, List<SentFile> files) {
    JsonNode verdict = verdict(files);
    assertThat(verdict.path("may_pass").asBoolean()).as("%s", verdict).isTrue();
    assertThat(verdict.path("exit_code").asInt()).isZero();
  }

  /** Uploads in which a test failed. */
  static Stream<Arguments> failed() {
    String twice = "<testcase classname='C' name='bad'/>";
    return Stream.of(
        arguments("a failure", List.of(junit("a.xml", "", PASS, FAIL))),
        arguments("a failure beside a pass", List.of(GOOD, junit("a.xml", "", FAIL))),
        arguments(
            "an error", List.of(junit("a.xml", "", "<testcase name='e'><error/></testcase>"))),
        arguments(
            "an old failure", List.of(junit("a.xml", "timestamp='2020-01-01T00:00:00Z'", FAIL))),
        arguments(
            "a future failure", List.of(junit("a.xml", "timestamp='2099-01-01T00:00:00Z'", FAIL))),
        arguments("a time that is none", List.of(junit("a.xml", "timestamp='yesterday'", FAIL))),
        arguments("a pass after it in one report", List.of(junit("a.xml", "", FAIL, twice))),
        arguments("a pass before it in one report", List.of(junit("a.xml", "", twice, FAIL))),
        arguments(
            "a pass in another report",
            List.of(junit("a.xml", "", FAIL), junit("b.xml", "", twice))),
        arguments(
            "a pass in another inner suite",
            List.of(
                junit(
                    "a.xml",
                    "",
                    "<testsuite name='firefox'>" + FAIL + "</testsuite>",
                    "<testsuite name='chrome'>" + twice + "</testsuite>"))),
        arguments(
            "a later pass",
            List.of(
                junit("a.xml", "timestamp='2026-03-01T10:00:00Z'", FAIL),
                junit("b.xml", "timestamp='2026-03-01T11:00:00Z'", twice))),
        arguments(
            "a skip after it",
            List.of(
                junit(
                    "a.xml",
                    "",
                    FAIL,
                    "<testcase classname='C' name='bad'><skipped/></testcase>"))),
        arguments(
            "reruns that failed",
            List.of(
                junit(
                    "a.xml",
                    "failures='1'",
                    "<testcase name='r'><failure/><rerunFailure/><rerunFailure/></testcase>"))),
        arguments(
            "a case that says so itself",
            List.of(junit("a.xml", "", "<testcase name='s' status='failed'/>"))),
        arguments(
            "a case that says so loudly",
            List.of(junit("a.xml", "", "<testcase name='s' result='FAILURE'/>"))),
        arguments(
            "a case that failed and skipped",
            List.of(junit("a.xml", "", "<testcase name='s' status='error'><skipped/></testcase>"))),
        arguments(
            "a suite itself", List.of(junit("a.xml", "", "<error message='no setup'/>", PASS))),
        arguments(
            "the first attempt alone", List.of(junit("t/test_attempts/attempt_1.xml", "", FAIL))),
        arguments(
            "the last of several attempts",
            List.of(
                junit("t/test_attempts/attempt_1.xml", "", twice), junit("t/test.xml", "", FAIL))),
        arguments(
            "a last attempt that skipped",
            List.of(
                junit("t/test_attempts/attempt_1.xml", "", FAIL),
                junit(
                    "t/test.xml", "", "<testcase classname='C' name='bad'><skipped/></testcase>"))),
        arguments(
            "attempts in another directory",
            List.of(
                junit("t/test_attempts/attempt_1.xml", "", FAIL), junit("u/test.xml", "", twice))),
        arguments(
            "results of Allure of which the last failed, and comes first",
            List.of(allure("h", 2, "failed"), allure("h", 1, "passed"))),
        arguments(
            "results of Allure that failed and were skipped then",
            List.of(allure("h", 1, "failed"), allure("h", 2, "skipped"))),
        arguments(
            "results of Allure with other parameters",
            List.of(allure("h", 1, "failed"), allure("i", 2, "passed"))),
        arguments(
            "results of Allure without a history",
            List.of(allure("", 1, "failed"), allure("", 2, "passed"))),
        arguments("an archive", List.of(SentFile.zip(List.of(GOOD, junit("a.xml", "", FAIL))))),
        arguments("a .trx", List.of(trx("failed='1'", "Passed", "Failed"))),
        arguments("a .trx with a timeout", List.of(trx("", "Timeout"))),
        arguments("a .trx with an abort", List.of(trx("", "Aborted"))),
        arguments("TAP", List.of(SentFile.of("t.tap", "1..2\nok 1 - adds\nnot ok 2 - takes\n"))),
        arguments(
            "Cucumber",
            List.of(
                SentFile.of(
                    "c.json",
                    """
                    [{"uri":"a","keyword":"Feature","elements":[{"name":"s","type":"scenario",
                    "steps":[{"result":{"status":"failed","error_message":"no"}}]}]}]
                    """))),
        arguments("go test", List.of(go("start", "run T", "fail T", "fail"))),
        arguments("go test that does not compile", List.of(go("start", "fail"))),
        arguments(
            "go test that ran twice",
            List.of(go("start", "run T", "fail T", "run T", "pass T", "fail"))));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("failed")
  void it_is_shut_by_a_failure(String what, List<SentFile> files) {
    JsonNode verdict = verdict(files);
    assertThat(verdict.path("may_pass").asBoolean()).as("%s", verdict).isFalse();
    assertThat(verdict.path("failed_tests").asInt()).isEqualTo(1);
    assertThat(verdict.path("failures").size()).isEqualTo(1);
    assertThat(verdict.path("exit_code").asInt()).isEqualTo(1);
  }

  /** Files that may hold failures which nobody can see. */
  static Stream<Arguments> unreadable() {
    var files = new ArrayList<SentFile>();
    files.add(SentFile.of("empty.xml", ""));
    files.add(SentFile.of("blank.xml", "  \n"));
    files.add(SentFile.of("declared.xml", "<?xml version='1.0'?>\n"));
    files.add(junit("cut.xml", "", PASS).cut(40));
    files.add(SentFile.of("cut.json", "{\"Action\":\"run\",\"Package\":\"p\",\"Test\":\"T\"}\n"));
    files.add(SentFile.of("torn.json", "{\"Action\":\"pass\",\"Package\":\"p\"}\n{\"Acti"));
    files.add(trx("", "Passed").cut(150));
    files.add(SentFile.of("nunit3.xml", "<test-run failed='0'><test-suite>"));
    files.add(SentFile.of("output.xml", "<robot><suite><test name='a'>"));
    files.add(
        SentFile.of("run.xml", "<TestRun><FailedTests><FailedTest/></FailedTests></TestRun>"));
    files.add(SentFile.of("t.tap", "1..2\nok 1 - adds\n"));
    files.add(SentFile.of("tap.txt", "TAP version 13\nok 1\n"));
    files.add(
        SentFile.of("rspec.json", "{\"version\":\"3\",\"examples\":[{\"status\":\"passed\"}"));
    files.add(SentFile.of("jest.json", "{\"numFailedTests\":0,\"testResults\":["));
    files.add(SentFile.of("mocha.json", "[{\"fails\":1}]"));
    files.add(SentFile.of("odd.xml", "nothing of a report"));
    files.add(SentFile.of("odd", "nothing of a report"));
    files.add(SentFile.zip(List.of(SentFile.zip(List.of(GOOD)).named("inner.zip"))));
    return files.stream().map(file -> arguments(file.name(), file));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("unreadable")
  void a_file_that_could_not_be_read_shuts_it(String name, SentFile file) {
    JsonNode verdict = verdict(List.of(GOOD, file));
    assertThat(verdict.path("may_pass").asBoolean()).as("%s", verdict).isFalse();
    assertThat(verdict.path("unreadable")).as("%s", verdict).hasSize(1);
    assertThat(verdict.path("unreadable").path(0).path("reason").asString()).isNotBlank();
    assertThat(verdict.path("exit_code").asInt()).as("the job itself passed").isZero();
    assertThat(verdict(List.of(GOOD, file), "strict=true").path("exit_code").asInt()).isEqualTo(1);
    if (!name.endsWith(".zip")) {
      assertThat(verdict(List.of(GOOD, file), "ignore=" + name).path("may_pass").asBoolean())
          .as("a file that is named as no report")
          .isTrue();
    }
  }

  /** Files that lie beside reports. */
  static Stream<Arguments> ignored() {
    return Map.ofEntries(
            Map.entry("shop.CartTest.txt", "Tests run: 3, Failures: 1"),
            Map.entry("empty.txt", ""),
            Map.entry("build.log", "It wrote <?xml version='1.0'?><odd/>"),
            Map.entry("2026.dumpstream", "# Created at"),
            Map.entry("index.html", "<!DOCTYPE html><html><body/></html>"),
            Map.entry("page.xml", "<html><body/></html>"),
            Map.entry("shot.png", "\u0089PNG\r\n\u0000\u0000"),
            Map.entry("jacoco.exec", "\u0001\u0000\u0000"),
            Map.entry("failsafe-summary.xml", "<failsafe-summary result='255'/>"),
            Map.entry("testng-failed.xml", "<!DOCTYPE suite><suite name='x'/>"),
            Map.entry("coverage.xml", "<coverage line-rate='1'/>"),
            Map.entry("jacoco.xml", "<report name='x'/>"),
            Map.entry("checkstyle.xml", "<checkstyle/>"),
            Map.entry("pmd.xml", "<pmd/>"),
            Map.entry("spotbugs.xml", "<BugCollection/>"),
            Map.entry("pom.xml", "<project/>"),
            Map.entry("x.sarif", "{\"$schema\": \"https://json.example/sarif-2.1.0.json\"}"),
            Map.entry("coverage-final.json", "{\"a.js\":{\"statementMap\":{}}}"))
        .entrySet()
        .stream()
        .map(file -> arguments(file.getKey(), SentFile.of(file.getKey(), file.getValue())));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ignored")
  void what_is_plainly_no_report_is_named_and_blocks_nothing(String name, SentFile file) {
    JsonNode answer = answer(List.of(GOOD, file));
    assertThat(answer.at("/verdict/may_pass").asBoolean()).as("%s", answer).isTrue();
    assertThat(answer.at("/ignored/0/file").asString()).isEqualTo(name);
    assertThat(answer.at("/ignored/0/reason").asString()).isNotBlank();
    assertThat(verdict(List.of(file)).path("may_pass").asBoolean())
        .as("nothing of it is a report")
        .isFalse();
  }

  /** Reports that announce more failures than they show. */
  static Stream<Arguments> announced() {
    return Stream.of(
        arguments("failures", junit("a.xml", "failures='1'", PASS)),
        arguments("errors", junit("a.xml", "errors='1'", PASS)),
        arguments(
            "an inner suite",
            junit("a.xml", "", "<testsuite failures='1'>" + PASS + "</testsuite>")),
        arguments(
            "all suites", SentFile.of("a.xml", "<testsuites errors='1'><testsuite/></testsuites>")),
        arguments("a .trx", trx("failed='1'", "Passed")),
        arguments("Jest", SentFile.of("jest.json", "{\"numFailedTests\":1,\"testResults\":[]}")),
        arguments(
            "CTRF",
            SentFile.of("c.json", "{\"results\":{\"summary\":{\"failed\":1},\"tests\":[]}}")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("announced")
  void an_announced_failure_that_is_not_there_shuts_it(String what, SentFile file) {
    JsonNode verdict = verdict(List.of(file));
    assertThat(verdict.path("may_pass").asBoolean()).isFalse();
    assertThat(verdict.at("/missing/0/announced").asInt()).isEqualTo(1);
    assertThat(verdict.at("/missing/0/found").asInt()).isZero();
    assertThat(verdict.path("exit_code").asInt()).isZero();
  }

  @Test
  void a_failure_in_another_suite_does_not_stand_for_a_missing_one() {
    JsonNode verdict =
        verdict(
            List.of(
                junit(
                    "a.xml",
                    "",
                    "<testsuite failures='2'>" + FAIL + "</testsuite>",
                    "<testsuite failures='0'>" + FAIL.replace("bad", "worse") + "</testsuite>")));
    assertThat(verdict.at("/missing/0/announced").asInt()).isEqualTo(2);
    assertThat(verdict.at("/missing/0/found").asInt()).isEqualTo(1);
  }

  @Test
  void tests_that_share_an_identity_are_named() {
    JsonNode answer = answer(List.of(junit("a.xml", "", PASS, PASS, PASS), GOOD));
    assertThat(answer.path("collisions_total").asInt()).isEqualTo(1);
    assertThat(answer.at("/collisions/0/name").asString()).isEqualTo("ok");
    assertThat(answer(List.of(GOOD)).path("collisions_total").asInt()).isZero();
  }

  /** How the tests ended, what was sent, and how the job should end. */
  @ParameterizedTest
  @CsvSource({
    "0, pass, false, 0", "0, fail, false, 1", "7, pass, false, 7", "7, fail, false, 7",
    "0, cut, false, 0", "0, cut, true, 1", "7, cut, true, 7", "0, nothing, false, 0",
    "0, nothing, true, 1", "7, nothing, false, 7", "-1, fail, false, -1", "0, pass, true, 0"
  })
  void the_exit_code_of_a_job(int tests, String sent, boolean strict, int job) {
    SentFile file =
        switch (sent) {
          case "pass" -> GOOD;
          case "fail" -> junit("a.xml", "", FAIL);
          case "cut" -> GOOD.cut(30);
          default -> SentFile.of("notes.txt", "nothing");
        };
    assertThat(
            verdict(List.of(file), "test_exit_code=" + tests, "strict=" + strict)
                .path("exit_code")
                .asInt())
        .isEqualTo(job);
  }

  @Test
  void the_same_upload_of_a_job_that_ended_otherwise_gets_its_own_exit_code() {
    var files = List.of(junit("a.xml", "", FAIL));
    String repo = repo();
    assertThat(answer(repo, files, "test_exit_code=3").at("/verdict/exit_code").asInt())
        .isEqualTo(3);
    JsonNode again = answer(repo, files, "test_exit_code=4");
    assertThat(again.path("duplicate").asBoolean()).isTrue();
    assertThat(again.at("/verdict/exit_code").asInt()).isEqualTo(4);
  }

  @Test
  void too_many_patterns_are_refused() {
    String[] patterns = Stream.generate(() -> "ignore=*.x").limit(101).toArray(String[]::new);
    var answer =
        node.post(
            "/v1/test-results?repo=" + repo(),
            node.token(),
            "multipart/form-data; boundary=limit",
            BodyPublishers.ofByteArray(SentFile.form(List.of(GOOD), List.of(patterns))));
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body()).contains("\"field\":\"ignore\"");
  }

  private static String repo() {
    return "github.com/acme/gate" + ++repositories;
  }

  private static JsonNode verdict(List<SentFile> files, String... fields) {
    return answer(files, fields).path("verdict");
  }

  private static JsonNode answer(List<SentFile> files, String... fields) {
    return answer(repo(), files, fields);
  }

  private static JsonNode answer(String repo, List<SentFile> files, String... fields) {
    var answer =
        node.post(
            "/v1/test-results?commit=c1&repo=" + repo,
            node.token(),
            "multipart/form-data; boundary=limit",
            BodyPublishers.ofByteArray(SentFile.form(files, List.of(fields))));
    assertThat(answer.status()).as("%s", answer.body()).isEqualTo(200);
    return answer.json();
  }
}
