package dev.mainstay.server.report.file;

import static dev.mainstay.core.health.Outcome.ERRORED;
import static dev.mainstay.core.health.Outcome.FAILED;
import static dev.mainstay.core.health.Outcome.PASSED;
import static dev.mainstay.core.health.Outcome.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.SeparateAttempts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OtherReportsTest {

  @Test
  void a_trx_file_gives_its_results_with_the_classes_that_follow_them() throws IOException {
    var reading =
        Reading.of(
            """
            <TestRun xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010"><Results>
              <UnitTestResult testId="1" testName="Shop.Carts.Adds" duration="00:01:01.5000000"
                startTime="2026-03-01T10:00:00.0000000+00:00" outcome="Passed"/>
              <UnitTestResult testId="2" testName="Shop.Carts.Removes" outcome="Failed"><Output><ErrorInfo>
                <Message>expected 1</Message><StackTrace>at Carts.cs:9</StackTrace></ErrorInfo></Output></UnitTestResult>
              <UnitTestResult testId="3" testName="Theory(i: 3)" outcome="NotExecuted"/>
            </Results><TestDefinitions>
              <UnitTest id="1"><TestMethod className="Shop.Carts" name="Adds"/></UnitTest>
              <UnitTest id="2"><TestMethod className="Shop.Carts, Shop" name="Removes"/></UnitTest>
            </TestDefinitions></TestRun>
            """);
    assertThat(reading.outcomes()).containsExactly(PASSED, FAILED, SKIPPED);
    assertThat(reading.names()).containsExactly("Adds", "Removes", "Theory(i: 3)");
    assertThat(reading.runs)
        .extracting(ReportedRun::className)
        .containsExactly("Shop.Carts", "Shop.Carts", "");
    assertThat(reading.runs.getFirst().durationMillis()).isEqualTo(61_500);
    assertThat(reading.runs.get(1).failure())
        .contains(new ReportedRun.Failure("", "expected 1", "at Carts.cs:9"));
  }

  @Test
  void a_trx_file_cut_before_its_definitions_still_gives_its_results() throws IOException {
    var reading =
        Reading.of(
            "<TestRun><Results><UnitTestResult testName='a' outcome='Passed'/><UnitTestResult te");
    assertThat(reading.names()).containsExactly("a");
    assertThat(reading.skips).hasSize(1);
  }

  @Test
  void a_name_in_a_trx_file_that_does_not_begin_with_its_class_stays_whole() throws IOException {
    var run =
        Reading.of(
                "<TestRun><Results><UnitTestResult testId='1' testName='adds two and two' outcome='Passed'/></Results>"
                    + "<TestDefinitions><UnitTest id='1'><TestMethod className='Carts' name='Adds'/></UnitTest></TestDefinitions></TestRun>")
            .only();
    assertThat(run.className()).isEqualTo("Carts");
    assertThat(run.name()).isEqualTo("adds two and two");
  }

  @Test
  void cases_of_an_old_nunit_ended_as_their_success_says() throws IOException {
    var reading =
        Reading.of(
            "<test-results><test-suite><results><test-case name='S.a' executed='True' success='True'/>"
                + "<test-case name='S.b' executed='True' success='False'/><test-case name='S.c' executed='False'/>"
                + "</results></test-suite></test-results>");
    assertThat(reading.outcomes()).containsExactly(PASSED, FAILED, SKIPPED);
  }

  @Test
  void what_is_no_text_among_the_groups_of_a_test_is_left_out() throws IOException {
    var run =
        Reading.of(
                "{\"reportFormat\":\"CTRF\",\"results\":{\"tests\":[{\"name\":\"t\",\"status\":\"passed\",\"duration\":5,"
                    + "\"suite\":[\"a\",\"b\",{\"x\":[\"y\"]},[\"z\"]],\"filePath\":\"t.js\"}]}}")
            .only();
    assertThat(run.file()).isEqualTo("t.js");
    assertThat(run.parent()).isEqualTo("a");
    assertThat(run.className()).doesNotContain("x", "y", "z");
  }

  @Test
  void a_case_in_which_a_program_of_catch2_died_is_an_error_where_it_said_something()
      throws IOException {
    String before =
        """
        <Catch2TestRun name="shop"><TestCase name="adds" filename="cart.cpp" line="3"><OverallResult success="true"/></TestCase>
        <TestCase name="takes" filename="cart.cpp" line="9">""";
    var silent = Reading.of(before + "<Section name='a");
    assertThat(silent.names()).containsExactly("adds");
    assertThat(silent.skips).hasSize(1);
    var told =
        Reading.of(
            before
                + "<FatalErrorCondition filename='cart.cpp' line='12'>SIGSEGV</FatalErrorCondition>");
    assertThat(told.names()).containsExactly("adds", "takes");
    assertThat(told.outcomes()).containsExactly(PASSED, ERRORED);
    assertThat(told.runs.getLast().failure().orElseThrow().message()).isEqualTo("SIGSEGV");
  }

  @Test
  void the_lines_of_go_test_give_tests_with_their_output() throws IOException {
    var reading =
        Reading.of(
            """
            {"Time":"2026-03-01T10:00:00Z","Action":"run","Package":"shop","Test":"TestAdd"}
            {"Action":"output","Package":"shop","Test":"TestAdd","Output":"=== RUN   TestAdd\\n"}
            {"Action":"output","Package":"shop","Test":"TestAdd","Output":"    cart_test.go:7: got 2\\n"}
            {"Time":"2026-03-01T10:00:02Z","Action":"fail","Package":"shop","Test":"TestAdd","Elapsed":1.5}
            {"Action":"pass","Package":"shop","Test":"TestAdd/sub","Elapsed":0}
            {"Action":"skip","Package":"shop","Test":"TestLater","Elapsed":0}
            {"Action":"fail","Package":"shop","Elapsed":2}
            """);
    assertThat(reading.outcomes()).containsExactly(FAILED, PASSED, SKIPPED);
    assertThat(reading.names()).containsExactly("TestAdd", "TestAdd/sub", "TestLater");
    var failure = reading.runs.getFirst().failure().orElseThrow();
    assertThat(failure.message()).isEqualTo("cart_test.go:7: got 2");
    assertThat(reading.runs.getFirst().durationMillis()).isEqualTo(1500);
    assertThat(reading.skips).isEmpty();
  }

  @Test
  void a_go_package_that_does_not_compile_is_a_failure() throws IOException {
    var run =
        Reading.of(
                """
                {"Action":"output","Package":"shop","Output":"cart.go:3: undefined: x\\n"}
                {"Action":"fail","Package":"shop","Elapsed":0}
                """)
            .only();
    assertThat(run.name()).isEqualTo("shop");
    assertThat(run.outcome()).isEqualTo(ERRORED);
  }

  @Test
  void broken_json_lines_are_told_once_and_the_others_are_read() throws IOException {
    var reading =
        Reading.of(
            """
            {"Action":"pass","Package":"p","Test":"A"}
            {"Action":"pass",
            {"Action"
            ok  plain text
            {"Action":"pass","Package":"p","Test":"B\\u0000\\ud800"}
            """);
    assertThat(reading.names()).containsExactly("A", "B\ufffd\ufffd");
    assertThat(reading.skips).hasSize(1);
    assertThat(reading.skips.getFirst().line()).isEqualTo(2);
  }

  @Test
  void cases_that_a_case_of_boost_runs_by_itself_count() throws IOException {
    var reading =
        Reading.of(
            """
            <TestLog><TestSuite name="shop"><TestCase name="outer"><TestSuite name="inner"><TestCase name="adds"/>
            <TestCase name="takes"><Error file="a.cc" line="3">no</Error></TestCase></TestSuite></TestCase></TestSuite></TestLog>
            """);
    assertThat(reading.outcomes()).containsExactly(PASSED, FAILED, PASSED);
    assertThat(reading.runs)
        .extracting(run -> run.parent() + " " + run.className() + " " + run.name())
        .containsExactly("shop outer/inner adds", "shop outer/inner takes", "shop  outer");
  }

  @Test
  void a_small_result_of_allure_is_one() throws IOException {
    var run =
        Reading.of(
                """
                {"uuid":"1","name":"adds","status":"broken","start":1772359200000,"stop":1772359200007,"steps":[]}
                """)
            .only();
    assertThat(run.outcome()).isEqualTo(ERRORED);
    assertThat(run.durationMillis()).isEqualTo(7);
  }

  @Test
  void a_suite_of_ctrf_that_is_a_text_has_its_outermost_group_before_the_first_arrow()
      throws IOException {
    String report =
        "{\"results\":{\"tool\":{\"name\":\"x\"},\"tests\":[{\"name\":\"t\",\"status\":\"passed\",\"suite\":\"%s\"}]}}";
    for (var parent :
        Map.of("cart", "cart", "cart > orders > new", "cart", " > orders", "").entrySet()) {
      var run = Reading.of(report.replace("%s", parent.getKey())).only();
      assertThat(run.className()).isEqualTo(parent.getKey());
      assertThat(run.parent()).isEqualTo(parent.getValue());
    }
  }

  @Test
  void retries_of_ctrf_count_only_where_something_failed() throws IOException {
    String report =
        "{\"results\":{\"tool\":{\"name\":\"x\"},\"tests\":[{\"name\":\"t\",\"status\":\"passed\",\"retries\":2%s}]}}";
    assertThat(Reading.of(report.replace("%s", "")).outcomes()).containsExactly(PASSED);
    assertThat(Reading.of(report.replace("%s", ",\"flaky\":true")).outcomes())
        .containsExactly(FAILED, FAILED, PASSED);
  }

  @Test
  void objects_on_several_lines_and_several_on_one_line_are_read() throws IOException {
    var reading =
        Reading.of(
            """
            {"Action":"pass","Package":"p","Test":"A"}{"Action":"pass","Package":"p","Test":"B"} words
            {"Action":"pass",
              "Package":"p","Test":"C"}
            [1] words
            {"Action":"pass","Package":"p","Test":"D"}""");
    assertThat(reading.names()).containsExactly("A", "B", "C", "D");
    assertThat(reading.skips).isEmpty();
  }

  @Test
  void a_broken_line_among_many_is_told_with_its_number_and_loses_itself_only() throws IOException {
    String good = "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T\"}\n";
    var reading =
        Reading.of(good.repeat(5000) + "words\n{\"Action\":\"pa\n" + good.repeat(5000) + "{");
    assertThat(reading.runs).hasSize(10_000);
    assertThat(reading.skips).hasSize(1);
    assertThat(reading.skips.getFirst().line()).isEqualTo(5002);
    assertThat(reading.skips.getFirst().reason()).isEqualTo("this line is not a JSON object");
  }

  @Test
  void results_of_allure_are_attempts_in_the_order_in_which_they_began() throws IOException {
    var reading = new Reading();
    var attempts = new SeparateAttempts(reading);
    for (String result :
        List.of(
            "'status':'passed','start':1772359200300,'historyId':'h'",
            "'status':'skipped','start':1772359200400,'historyId':'h'",
            "'status':'failed','start':1772359200100,'historyId':'h','statusDetails':{'message':'first'}",
            "'status':'broken','start':1772359200200,'historyId':'h','statusDetails':{'message':'second'}",
            "'status':'failed','start':1,'testCaseId':'c','parameters':[{'value':'1'}]",
            "'status':'passed','start':2,'testCaseId':'c','parameters':[{'value':'1'},{'value':'x','excluded':true}]",
            "'status':'passed','start':3,'testCaseId':'c','parameters':[{'value':'2'}]")) {
      String json = ("{'uuid':'u','name':'n'," + result + "}").replace('\'', '"');
      Reports.read(
          new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), "r.json", attempts);
    }
    assertThat(reading.runs).isEmpty();
    attempts.tell();
    assertThat(reading.reports).isEqualTo(7);
    assertThat(reading.runs)
        .extracting(
            run ->
                "%s %d %s %s"
                    .formatted(
                        run.outcome(),
                        run.attempt(),
                        run.decides(),
                        run.failure().map(ReportedRun.Failure::message).orElse("")))
        .containsExactly(
            "SKIPPED 1 false ",
            "FAILED 2 false first",
            "ERRORED 3 false second",
            "PASSED 4 true ",
            "FAILED 1 false ",
            "PASSED 2 true ",
            "PASSED 1 true ");
  }
}
