package dev.mainstay.server.report.file;

import static dev.mainstay.core.health.Outcome.ERRORED;
import static dev.mainstay.core.health.Outcome.FAILED;
import static dev.mainstay.core.health.Outcome.PASSED;
import static dev.mainstay.core.health.Outcome.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.report.Limits;
import dev.mainstay.server.report.ReportTimes;
import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.Skipped;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JunitXmlTest {

  @Test
  void a_plain_report_is_read_with_all_it_says() throws IOException {
    var run =
        Reading.of(
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="all">
                  <testsuite name="Carts" file="cart_test.py" timestamp="2026-03-01T10:00:00+01:00">
                    <testcase classname="shop.Cart" name="adds" time="1.25">
                      <failure type="AssertionError" message="2 != 3">at cart.py:7</failure>
                    </testcase>
                  </testsuite>
                </testsuites>
                """)
            .only();
    assertThat(run.name()).isEqualTo("adds");
    assertThat(run.className()).isEqualTo("shop.Cart");
    assertThat(run.parent()).isEqualTo("Carts");
    assertThat(run.file()).isEqualTo("cart_test.py");
    assertThat(run.outcome()).isEqualTo(FAILED);
    assertThat(run.durationMillis()).isEqualTo(1250);
    assertThat(Instant.ofEpochMilli(run.startedAtMillis())).isEqualTo("2026-03-01T09:00:00Z");
    assertThat(run.failure())
        .contains(new ReportedRun.Failure("AssertionError", "2 != 3", "at cart.py:7"));
  }

  @Test
  void the_outermost_suite_is_the_parent_and_a_file_is_handed_down() throws IOException {
    var reading =
        Reading.of(
            """
            <testsuites><testsuite name="outer" file="a.js"><testsuite name="inner">
            <testcase name="deep"/></testsuite><testcase name="shallow" file="b.js"/></testsuite>
            <testsuite><testcase name="unnamed suite"/></testsuite><testcase name="no suite"/>
            </testsuites>
            """);
    assertThat(reading.runs)
        .extracting(ReportedRun::parent)
        .containsExactly("outer", "outer", "", "");
    assertThat(reading.runs).extracting(ReportedRun::file).containsExactly("a.js", "b.js", "", "");
  }

  @Test
  void what_surefire_ran_again_is_told_attempt_by_attempt() throws IOException {
    var reading =
        Reading.of(
            """
            <testsuite name="s">
              <testcase name="flaky"><flakyFailure message="first"><stackTrace>at 1</stackTrace>
                <system-out>noise</system-out></flakyFailure><flakyError message="second"/></testcase>
              <testcase name="broken"><failure message="one"/><rerunFailure message="two"/>
                <rerunError message="three"/></testcase>
            </testsuite>
            """);
    assertThat(reading.outcomes())
        .containsExactly(FAILED, ERRORED, PASSED, FAILED, FAILED, ERRORED);
    assertThat(reading.runs.getFirst().failure().orElseThrow().stack()).isEqualTo("at 1");
    assertThat(reading.runs.stream().flatMap(r -> r.failure().stream()))
        .extracting(ReportedRun.Failure::message)
        .containsExactly("first", "second", "one", "two", "three");
  }

  @Test
  void a_case_that_says_two_things_has_the_worse_outcome() throws IOException {
    var reading =
        Reading.of(
            """
            <testsuite><testcase name="a"><skipped/><failure/></testcase>
            <testcase name="b"><failure message="x"/><failure message="y"/></testcase>
            <testcase name="c"><failure/><error/></testcase>
            <testcase name="d" status="notrun"/><testcase name="e"><skipped message="later"/></testcase>
            <testcase name="f" status="run" result="completed"/></testsuite>
            """);
    assertThat(reading.outcomes())
        .containsExactly(FAILED, FAILED, ERRORED, SKIPPED, SKIPPED, PASSED);
  }

  @Test
  void a_case_without_children_ended_as_its_status_says() throws IOException {
    String suite = "<testsuite><testcase name='a' %s/></testsuite>";
    for (String said : List.of("status='Failed'", "result='failure'", "status='fail'")) {
      assertThat(Reading.of(suite.formatted(said)).outcomes()).as(said).containsExactly(FAILED);
    }
    for (String said :
        List.of("status='error'", "result='Errored'", "status='fail' result='error'")) {
      assertThat(Reading.of(suite.formatted(said)).outcomes()).as(said).containsExactly(ERRORED);
    }
    for (String said : List.of("status='disabled'", "result='ignored'", "status='SKIPPED'")) {
      assertThat(Reading.of(suite.formatted(said)).outcomes()).as(said).containsExactly(SKIPPED);
    }
  }

  @Test
  void prefixes_that_nothing_declares_do_no_harm() throws IOException {
    var reading =
        Reading.of(
            "<j:testsuites><j:testsuite name='s'><j:testcase name='a' x:y='1'><z:properties/><j:failure/></j:testcase>"
                + "</j:testsuite><testsuite><testcase name='b'/></testsuite></j:testsuites>");
    assertThat(reading.lines()).containsExactly("FAILED  | s |  | a : ", "PASSED  |  |  | b");
    assertThat(reading.skips).isEmpty();
  }

  @Test
  void a_failure_of_the_suite_itself_is_not_lost() throws IOException {
    var run =
        Reading.of("<testsuite name='setup'><error message='no database'/></testsuite>").only();
    assertThat(run.name()).isEqualTo("setup");
    assertThat(run.outcome()).isEqualTo(ERRORED);
  }

  @Test
  void a_file_broken_half_way_gives_what_came_before_and_says_where() throws IOException {
    var reading =
        Reading.of("<testsuite>\n<testcase name='a'/>\n<testcase name='b'/>\n<testcase name=");
    assertThat(reading.names()).containsExactly("a", "b");
    assertThat(reading.skips).hasSize(1);
    assertThat(reading.skips.getFirst().line()).isEqualTo(4);
    assertThat(reading.skips.getFirst().reason()).startsWith("not well-formed");
    assertThat(reading.skips.getFirst().kind()).isEqualTo(Skipped.Kind.UNREADABLE);
  }

  @Test
  void a_break_inside_of_a_long_text_is_told_with_its_line() throws IOException {
    String text = "a line of a stack\n".repeat(1000);
    var reading =
        Reading.of("<testsuite><testcase name='a'><failure><![CDATA[" + text + "]]></failur");
    assertThat(reading.outcomes()).containsExactly(FAILED);
    assertThat(reading.skips.getFirst().line()).isEqualTo(1001);
    var cut = Reading.of("<testsuite><testcase name='a'><failure><![CDATA[" + text);
    assertThat(cut.outcomes()).containsExactly(FAILED);
    assertThat(cut.skips.getFirst().line()).isEqualTo(1001);
  }

  @Test
  void a_break_inside_of_a_short_text_is_told_with_its_line() throws IOException {
    var reading =
        Reading.of("<testsuite>\n<testcase name='a'><failure>\n<![CDATA[at line 1\nat line 2\n");
    assertThat(reading.outcomes()).containsExactly(FAILED);
    assertThat(reading.skips.getFirst().line()).isEqualTo(5);
    assertThat(reading.skips.getFirst().reason())
        .isEqualTo("not well-formed: Unexpected EOF in CDATA section");
  }

  @Test
  void a_case_cut_inside_its_failure_has_failed() throws IOException {
    var reading =
        Reading.of("<testsuite><testcase name='a'><failure message='no'><![CDATA[at line 1");
    assertThat(reading.only().outcome()).isEqualTo(FAILED);
    assertThat(reading.only().failure().orElseThrow().message()).isEqualTo("no");
  }

  @Test
  void a_case_cut_before_its_end_is_not_called_passed() throws IOException {
    assertThat(Reading.of("<testsuite><testcase name='a'><system-out>hal").runs).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1.5, 1500",
    "0.007, 7",
    "12., 12000",
    "123456.789, 123456789",
    "0.0004, 0",
    "0.0006, 1",
    "1.x, -1",
    "7, 7000",
    "1.7e-05, 0",
    "'1,234.5', 1234500",
    "'0,5', 500",
    "-3, -1",
    "<<computed>>, -1",
    "NaN, -1",
    "1e300, -1",
    "'', -1",
  })
  void durations_are_read_as_they_are_written(String text, int millis) {
    assertThat(ReportTimes.durationMillis(text)).isEqualTo(millis);
    assertThat(ReportTimes.durationMillis(text.toCharArray(), 0, text.length())).isEqualTo(millis);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T10:00:00, 2026-03-01T10:00:00Z",
    "2026-03-01T10:00:00.123456, 2026-03-01T10:00:00.123Z",
    "2026-03-01T10:00:00+02:00, 2026-03-01T08:00:00Z",
    "2026-03-01T10:00:00.5+0200, 2026-03-01T08:00:00.500Z",
    "2026-03-01T10:00:00 UTC, 2026-03-01T10:00:00Z",
    "2026-03-01 10:00:00Z, 2026-03-01T10:00:00Z",
    "2026-03-01T 10:00:00, 2026-03-01T10:00:00Z",
    "2026-03-01, 2026-03-01T00:00:00Z",
    "1772359200, 2026-03-01T10:00:00Z",
    "1772359200000, 2026-03-01T10:00:00Z",
    "'Sun, 1 Mar 2026 10:00:00 GMT', 2026-03-01T10:00:00Z",
    "26 Jun 2018 13:51:32 GMT, 2018-06-26T13:51:32Z",
  })
  void timestamps_are_read_as_they_are_written(String text, Instant expected) {
    assertThat(Instant.ofEpochMilli(new ReportTimes().millis(text))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "30000-01-01T00:00:00Z",
        "-5",
        "1969-12-31T00:00:00Z",
        "99999999999999999999"
      })
  void times_that_cannot_be_are_unknown(String text) {
    assertThat(new ReportTimes().millis(text)).isEqualTo(ReportedRun.UNKNOWN_TIME);
  }

  @Test
  void brackets_in_the_value_of_an_attribute_lose_nothing_else() throws IOException {
    var reading =
        Reading.of(
            """
            <testsuite><testcase name="a" time="<<computed>>" classname='<<<c'/><testcase name="b" time="1"/>
            a < < << <testcase name="c"><failure>1 << 2</failure></testcase></testsuite>
            """);
    assertThat(reading.names()).startsWith("a", "b");
    assertThat(reading.runs.getFirst().durationMillis()).isEqualTo(ReportedRun.UNKNOWN_DURATION);
    assertThat(reading.runs.getFirst().className()).isEqualTo("<<<c");
  }

  @Test
  void no_entity_is_expanded_and_a_bomb_is_text() throws IOException {
    var reading =
        Reading.of(
            """
            <!DOCTYPE testsuite [
              <!ENTITY a "boom"><!ENTITY b "&a;&a;&a;"><!ENTITY file SYSTEM "file:///etc/passwd">
              <!ENTITY % remote SYSTEM "http://127.0.0.1:1/x.dtd"> %remote;
            ]>
            <testsuite><testcase name="x&b;y"><failure message="&file;">&b; &undeclared; a & b</failure>
            </testcase></testsuite>
            """);
    assertThat(reading.only().name()).isEqualTo("x&b;y");
    var failure = reading.only().failure().orElseThrow();
    assertThat(failure.message()).isEqualTo("&file;");
    assertThat(failure.stack()).isEqualTo("&b; &undeclared; a & b");
  }

  @Test
  void the_five_entities_and_character_references_mean_what_they_mean() throws IOException {
    var reading =
        Reading.of(
            "<testsuite><testcase name='&lt;&#65;&#x42;&amp;&quot;&apos;&gt;&#x1F600;'>"
                + "<failure><![CDATA[a & b <c> &lt; ]] ]]>&lt;</failure></testcase></testsuite>");
    assertThat(reading.only().name()).isEqualTo("<AB&\"'>😀");
    assertThat(reading.only().failure().orElseThrow().stack()).isEqualTo("a & b <c> &lt; ]] <");
  }

  @Test
  void control_characters_and_nul_bytes_are_replaced() throws IOException {
    var reading =
        Reading.of(
            "<testsuite><testcase name='a\u0000b\u001b[31m&#0;&#x1b;c'/>"
                + "<testcase name='next'/></testsuite>");
    assertThat(reading.names()).containsExactly("a\ufffdb\ufffd[31m\ufffd\ufffdc", "next");
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16", "UTF-16LE", "UTF-16BE", "ISO-8859-1", "windows-1252"})
  void encodings_are_recognized(String charset) throws IOException {
    String declared = charset.startsWith("UTF-16") ? "UTF-16" : charset;
    String text =
        "<?xml version='1.0' encoding='%s'?><testsuite><testcase name='größe é'/></testsuite>"
            .formatted(declared);
    assertThat(Reading.of(text.getBytes(Charset.forName(charset))).names())
        .containsExactly("größe é");
  }

  @Test
  void latin_1_that_calls_itself_utf_8_is_read_and_names_stay_distinct() throws IOException {
    String text =
        "<?xml version='1.0' encoding='UTF-8'?>"
            + "<testsuite><testcase name='é'/><testcase name='è'/></testsuite>";
    assertThat(Reading.of(text.getBytes(StandardCharsets.ISO_8859_1)).names())
        .containsExactly("é", "è");
  }

  @Test
  void a_byte_order_mark_and_text_before_the_prolog_do_no_harm() throws IOException {
    assertThat(
            Reading.of("\ufeff<?xml version='1.0'?><testsuite><testcase name='a'/></testsuite>")
                .names())
        .containsExactly("a");
    assertThat(
            Reading.of(
                    "WARNING: java\n\n<?xml version='1.0'?><testsuite><testcase name='a'/></testsuite>")
                .names())
        .containsExactly("a");
  }

  @Test
  void a_name_of_a_megabyte_is_read_whole() throws IOException {
    String name = "n".repeat(1_000_000);
    var reading =
        Reading.of("<testsuite><testcase name='" + name + "'/><testcase name='b'/></testsuite>");
    assertThat(reading.names()).containsExactly(name, "b");
  }

  @Test
  void a_stack_of_many_megabytes_is_cut_and_the_rest_is_read() throws IOException {
    String stack = "first\n" + "at x\n".repeat(1_000_000) + "last";
    var reading =
        Reading.of(
            "<testsuite><testcase name='a'><failure>"
                + stack
                + "</failure></testcase><testcase name='b'/></testsuite>");
    assertThat(reading.names()).containsExactly("a", "b");
    assertThat(reading.runs.getFirst().failure().orElseThrow().stack())
        .hasSizeLessThanOrEqualTo(Limits.STACK_LENGTH)
        .startsWith("first")
        .endsWith("last");
  }

  @Test
  void nesting_without_end_is_refused() throws IOException {
    var reading = Reading.of("<testsuite>".repeat(100_000));
    assertThat(reading.skips).hasSize(1);
  }

  @Test
  void attributes_without_end_are_refused() throws IOException {
    var before = "<testsuite><testcase name='a'/><testcase name='b'";
    var attributes = new StringBuilder();
    for (int i = 1; i < Limits.XML_ATTRIBUTES; i++) {
      attributes.append(" a").append(i).append("=''");
    }
    assertThat(Reading.of(before + attributes + "/></testsuite>").names())
        .containsExactly("a", "b");
    var reading = Reading.of(before + attributes + " more=''/></testsuite>");
    assertThat(reading.names()).containsExactly("a");
    assertThat(reading.skips).hasSize(1);
  }

  @Test
  void an_element_name_without_end_is_refused() throws IOException {
    var reading = Reading.of("<testsuite><" + "x".repeat(12_000_000));
    assertThat(reading.skips).hasSize(1);
    assertThat(reading.skips.getFirst().reason()).contains("longer than");
  }

  @Test
  void what_is_no_report_is_said_to_be_none() throws IOException {
    assertThat(Reading.of("<html><body/></html>").skips.getFirst().reason()).isEqualTo("HTML");
    assertThat(Reading.of("<odd/>").skips.getFirst().reason())
        .isEqualTo("<odd> is no test report that is read here");
    assertThat(Reading.of("hello").skips.getFirst().reason())
        .isEqualTo("this is no test report that is read here");
    assertThat(Reading.of("").skips.getFirst().reason()).isEqualTo("the file is empty");
  }

  @Test
  void every_cut_of_a_report_is_survived() throws IOException {
    byte[] whole =
        """
        <?xml version="1.0"?><!DOCTYPE x [<!ENTITY e "v">]><testsuites><testsuite name="é&amp;">
        <testcase name="a"><flakyFailure>&#x41;</flakyFailure></testcase><!-- c --><testcase name="b">
        <failure><![CDATA[x ]]></failure></testcase></testsuite></testsuites>
        """
            .getBytes(StandardCharsets.UTF_8);
    for (int length = 0; length < whole.length; length++) {
      Reading.of(java.util.Arrays.copyOf(whole, length));
    }
    assertThat(Reading.of(whole).outcomes()).containsExactly(FAILED, PASSED, FAILED);
  }
}
