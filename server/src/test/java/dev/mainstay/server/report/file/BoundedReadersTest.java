package dev.mainstay.server.report.file;

import static dev.mainstay.core.health.Outcome.FAILED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.report.ReportedRun;
import dev.mainstay.server.report.SeparateAttempts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What readers hold until it is wanted is bounded, however long the texts are. */
class BoundedReadersTest {
  /** As many long names are more than a reader has room for. */
  private static final int MANY = 14;

  private static final String LONG = "x".repeat(3_000_000);

  private static String many(IntFunction<String> each) {
    return IntStream.range(0, MANY).mapToObj(each).collect(Collectors.joining());
  }

  private static String quoted(String json) {
    return json.replace('\'', '"').replace("LONG", LONG);
  }

  @Test
  void failures_of_a_trx_file_that_wait_for_their_classes_lose_their_texts() throws IOException {
    String stack = "at Shop\n".repeat(1900);
    var report = new StringBuilder("<TestRun><Results>");
    for (int i = 0; i < 2600; i++) {
      report
          .append("<UnitTestResult testId='")
          .append(i)
          .append("' testName='Shop.Cart.T")
          .append(i)
          .append("' outcome='Failed'><Output><ErrorInfo><Message>m</Message><StackTrace>")
          .append(stack)
          .append("</StackTrace></ErrorInfo></Output></UnitTestResult>");
    }
    report.append("</Results><TestDefinitions>");
    for (int i = 0; i < 2600; i++) {
      report.append("<UnitTest id='" + i + "'><TestMethod className='Shop.Cart'/></UnitTest>");
    }
    var reading = Reading.of(report.append("</TestDefinitions></TestRun>").toString());
    assertThat(reading.runs).hasSize(2600).allMatch(run -> run.outcome() == FAILED);
    assertThat(reading.runs).extracting(ReportedRun::className).containsOnly("Shop.Cart");
    long told =
        reading.runs.stream().mapToLong(run -> run.failure().orElseThrow().stack().length()).sum();
    assertThat(told).isBetween(30_000_000L, 34_000_000L);
    assertThat(reading.runs.getLast().failure().orElseThrow().stack()).isEmpty();
  }

  @Test
  void results_of_a_trx_file_with_long_names_wait_until_there_is_no_room() throws IOException {
    String report =
        many(i -> "<UnitTestResult testId='%d' testName='%s' outcome='Passed'/>".formatted(i, LONG))
            + "<TestDefinitions>"
            + many(i -> "<UnitTest id='%d'><TestMethod className='C'/></UnitTest>".formatted(i));
    var reading = Reading.of("<TestRun>" + report + "</TestDefinitions></TestRun>");
    assertThat(reading.runs).hasSize(MANY);
    assertThat(reading.runs.getFirst().className()).isEmpty();
    assertThat(reading.runs.getLast().className()).isEqualTo("C");
  }

  @Test
  void long_titles_of_a_file_of_jest_do_not_all_wait_for_its_name() throws IOException {
    String tests =
        many(i -> quoted(i == 0 ? "" : ",") + quoted("{'title':'LONG','status':'passed'}"));
    var reading =
        Reading.of(
            quoted("{'numTotalTests':1,'testResults':[{'assertionResults':[")
                + tests
                + quoted("],'name':'cart.js'}]}"));
    assertThat(reading.runs).hasSize(MANY);
    assertThat(reading.runs.getFirst().file()).isEmpty();
    assertThat(reading.runs.getLast().file()).isEqualTo("cart.js");
  }

  @Test
  void attempts_of_allure_with_long_names_are_told_at_once_when_there_is_no_room()
      throws IOException {
    var reading = new Reading();
    var attempts = new SeparateAttempts(reading);
    for (int i = 0; i < MANY; i++) {
      byte[] result =
          quoted(
                  "{'uuid':'u','status':'passed','historyId':'%d','name':'LONG'}"
                      .replace("%d", "" + i))
              .getBytes(StandardCharsets.UTF_8);
      Reports.read(new ByteArrayInputStream(result), "r.json", attempts);
    }
    assertThat(reading.runs).isNotEmpty().hasSizeLessThan(MANY / 2);
    attempts.tell();
    assertThat(reading.runs).hasSize(MANY);
  }

  @Test
  void scenarios_that_are_announced_are_held_as_far_as_there_is_room() throws IOException {
    String before = quoted("{'meta':{'protocolVersion':'1'}}\n");
    String pickles =
        many(
            i ->
                quoted("{'pickle':{'id':'p%d','uri':'u','name':'%dLONG'}}\n")
                    .replace("%d", "" + i));
    String runs =
        many(
            i ->
                quoted(
                        """
                        {'testCase':{'id':'c%d','pickleId':'p%d'}}
                        {'testCaseStarted':{'id':'s%d','testCaseId':'c%d'}}
                        {'testCaseFinished':{'testCaseStartedId':'s%d'}}
                        """)
                    .replace("%d", "" + i));
    var reading = Reading.of(before + pickles + runs + "{\"testRunFinished\":{}}\n");
    assertThat(reading.skips).isEmpty();
    assertThat(reading.names()).hasSize(MANY);
    assertThat(reading.names().getFirst()).isEqualTo("0" + LONG);
    assertThat(reading.names().getLast()).isEqualTo("c" + (MANY - 1));
    // What was told gives its room back.
    String each =
        many(
            i ->
                quoted("{'pickle':{'id':'p%d','uri':'u','name':'LONG'}}\n").replace("%d", "" + i)
                    + quoted(
                            """
                            {'testCase':{'id':'c%d','pickleId':'p%d'}}
                            {'testCaseStarted':{'id':'s%d','testCaseId':'c%d'}}
                            {'testStepFinished':{'testCaseStartedId':'s%d','testStepResult':{'status':'FAILED','message':'LONG'}}}
                            {'testCaseFinished':{'testCaseStartedId':'s%d'}}
                            """)
                        .replace("%d", "" + i));
    var told = Reading.of(before + each + "{\"testRunFinished\":{}}\n");
    assertThat(told.names()).hasSize(MANY).allMatch(name -> name.startsWith(LONG));
  }

  @Test
  void long_ids_of_scenarios_take_room_until_they_are_told() throws IOException {
    String meta = quoted("{'meta':{'protocolVersion':'1'}}\n");
    String pickle = "{'pickle':{'id':'P%d','uri':'u','name':'n%d'}}\n";
    String rest =
        """
        {'testCase':{'id':'C%d','pickleId':'P%d'}}
        {'testCaseStarted':{'id':'S%d','testCaseId':'C%d'}}
        {'testCaseFinished':{'testCaseStartedId':'S%d'}}
        """;
    for (String letter : List.of("P", "C", "S")) {
      String each = many(i -> scenario(pickle + rest, letter, i));
      var told = Reading.of(meta + each + "{\"testRunFinished\":{}}\n");
      assertThat(told.skips).as(letter).isEmpty();
      assertThat(told.names())
          .as(letter)
          .isEqualTo(IntStream.range(0, MANY).mapToObj(i -> "n" + i).toList());
    }
    String announced = many(i -> scenario(pickle, "P", i)) + many(i -> scenario(rest, "P", i));
    var held = Reading.of(meta + announced + "{\"testRunFinished\":{}}\n");
    assertThat(held.names()).hasSize(MANY).endsWith("C" + (MANY - 1));
  }

  /** The lines of a scenario, of whose ids those of a letter are long. */
  private static String scenario(String lines, String letter, int number) {
    return quoted(lines.replace(letter + "%d", letter + "%dLONG").replace("%d", "" + number));
  }

  @Test
  void scenarios_that_run_at_a_time_beyond_all_room_make_the_report_unreadable()
      throws IOException {
    String starts =
        many(
            i ->
                quoted("{'testCaseStarted':{'id':'%dLONG','testCaseId':'c%d'}}\n")
                    .replace("%d", "" + i));
    var reading =
        Reading.of(
            quoted("{'meta':{'protocolVersion':'1'}}\n") + starts + "{\"testRunFinished\":{}}\n");
    assertThat(reading.runs).hasSizeBetween(5, MANY - 1);
    assertThat(reading.skips)
        .extracting(skip -> skip.reason())
        .containsExactly("more scenarios run at a time than are read");
  }

  @Test
  void tests_of_dart_that_run_at_a_time_beyond_all_room_make_the_report_unreadable()
      throws IOException {
    String start = quoted("{'protocolVersion':'0.1.1','runnerVersion':'1','type':'start'}\n");
    String starts =
        many(
            i ->
                quoted("{'test':{'id':%d,'name':'LONG'},'type':'testStart'}\n")
                    .replace("%d", "" + i));
    var reading = Reading.of(start + starts + "{\"type\":\"done\"}\n");
    assertThat(reading.runs).hasSizeBetween(5, MANY - 1);
    assertThat(reading.skips)
        .extracting(skip -> skip.reason())
        .containsExactly("more tests run at a time than are read");
    String each =
        many(
            i ->
                quoted("{'test':{'id':%d,'name':'LONG'},'type':'testStart'}\n")
                        .replace("%d", "" + i)
                    + quoted("{'testID':%d,'result':'success','type':'testDone'}\n")
                        .replace("%d", "" + i));
    var told = Reading.of(start + each + "{\"type\":\"done\"}\n");
    assertThat(told.runs).hasSize(MANY);
    assertThat(told.skips).isEmpty();
  }

  @Test
  void targets_of_bazel_without_a_summary_are_held_as_far_as_there_is_room() throws IOException {
    String start = quoted("{'id':{'started':{}},'started':{}}\n");
    String result =
        quoted("{'id':{'testResult':{'label':'%dLONG'}},'testResult':{'status':'PASSED'}}\n");
    String summary = quoted("{'id':{'testSummary':{'label':'%dLONG'}}}\n");
    String end = quoted("{'id':{'buildFinished':{}}}\n");
    var held = Reading.of(start + many(i -> result.replace("%d", "" + i)) + end);
    assertThat(held.runs).hasSizeBetween(5, MANY - 1);
    assertThat(held.skips)
        .extracting(skip -> skip.reason())
        .containsExactly("more targets without a summary than are read");
    var told = Reading.of(start + many(i -> (result + summary).replace("%d", "" + i)) + end);
    assertThat(told.runs).hasSize(MANY);
    assertThat(told.skips).isEmpty();
  }

  @Test
  void what_go_tests_say_is_held_as_far_as_there_is_room_and_heard_again_later()
      throws IOException {
    String run = quoted("{'Action':'run','Package':'p','Test':'T%d'}\n");
    String says =
        quoted("{'Action':'output','Package':'p','Test':'T%d','Output':'said by %d SAID'}\n");
    String fails = quoted("{'Action':'fail','Package':'p','Test':'T%d'}\n");
    int tests = 2000;
    String all = says.replace("SAID", "y".repeat(35_000));
    var lines = new StringBuilder();
    for (int i = 0; i < tests; i++) {
      lines.append((run + all).replace("%d", "" + i));
    }
    for (int i = 0; i < tests; i++) {
      lines.append(fails.replace("%d", "" + i));
    }
    lines.append((run + all + fails).replace("%d", "" + tests));
    var reading = Reading.of(lines.toString());
    assertThat(reading.runs).hasSize(tests + 1);
    assertThat(reading.runs.getFirst().failure().orElseThrow().message()).startsWith("said by 0 ");
    assertThat(reading.runs.get(tests - 1).failure().orElseThrow().stack()).isEmpty();
    assertThat(reading.runs.getLast().failure().orElseThrow().stack())
        .startsWith("said by %d y".formatted(tests));
  }

  @Test
  void long_names_of_rust_tests_that_run_are_held_as_far_as_there_is_room() throws IOException {
    String suite = quoted("{'type':'suite','event':'started','test_count':1}\n");
    String starts =
        many(
            i ->
                quoted("{'type':'test','event':'started','name':'%dLONG'}\n")
                    .replace("%d", "" + i));
    var died = Reading.of(suite + starts);
    assertThat(died.runs).hasSizeBetween(5, MANY - 1);
    String each =
        many(
            i ->
                quoted(
                        "{'type':'test','event':'started','name':'%dLONG'}\n{'type':'test','event':'ok','name':'%dLONG'}\n")
                    .replace("%d", "" + i));
    String hangs = quoted("{'type':'test','event':'started','name':'LONG'}\n");
    assertThat(Reading.of(suite + each + hangs).runs).hasSize(MANY + 1);
  }

  @Test
  void shapes_of_lines_with_millions_of_blanks_are_not_kept() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx80m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                LongBlanks.class.getName())
            .redirectErrorStream(true)
            .start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    assertThat(said).contains(LongBlanks.DONE);
  }
}
