package dev.mainstay.server.report.file;

import static dev.mainstay.core.health.Outcome.ERRORED;
import static dev.mainstay.core.health.Outcome.FAILED;
import static dev.mainstay.core.health.Outcome.PASSED;
import static dev.mainstay.core.health.Outcome.SKIPPED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.report.ReportedRun;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Texts wherever they lie in the pieces in which a file comes, and whatever characters they have.
 */
class TextsInPiecesTest {
  /** Texts of many lengths, of which the plain ones are read in another way than the others. */
  private static final List<String> NAMES =
      IntStream.range(0, 3000)
          .mapToObj(
              i ->
                  switch (i % 7) {
                    case 0 -> "plain " + "x".repeat(i % 61) + i;
                    case 1 -> "Größe 大小 \ud83d\ude00 " + i;
                    case 2 -> "\"quoted\\\" \\" + i;
                    case 3 -> "two\nlines\t" + i;
                    case 4 -> "the same each time";
                    case 5 -> "é".repeat(i % 9 + 1);
                    default -> "] & <" + i + "> ]]";
                  })
          .toList();

  private static String json(String text) {
    var json = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> json.append('\\').append(c);
        case '\n' -> json.append("\\n");
        case '\t' -> json.append("\\u0009");
        default -> json.append(c);
      }
    }
    return json.append('"').toString();
  }

  private static String xml(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&#60;")
        .replace("\"", "&quot;")
        .replace("\n", "&#10;")
        .replace("\t", "&#x9;");
  }

  /** Reads a file that comes in pieces of many lengths. */
  private static Reading inPieces(String text) throws IOException {
    return inPieces(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Reading inPieces(byte[] file) throws IOException {
    var reading = new Reading();
    var bytes =
        new ByteArrayInputStream(file) {
          @Override
          public synchronized int read(byte[] target, int offset, int length) {
            return super.read(target, offset, Math.min(length, 1 + pos * 7 % 131));
          }
        };
    Reports.read(bytes, "report", reading);
    return reading;
  }

  @Test
  void the_texts_of_a_long_document_are_whole() throws IOException {
    String document =
        NAMES.stream()
            .map(
                name ->
                    "{\"description\":%s,\"full_description\":%s,\"status\":\"passed\",\"file_path\":%s}"
                        .formatted(json(name), json("Cart " + name), json("./" + name)))
            .collect(Collectors.joining(",", "{\"version\":\"3\",\"examples\":[", "]}"));
    for (Reading reading : List.of(Reading.of(document), inPieces(document))) {
      assertThat(reading.skips).isEmpty();
      assertThat(reading.names()).isEqualTo(NAMES);
      assertThat(reading.runs)
          .extracting(ReportedRun::file)
          .isEqualTo(NAMES.stream().map(name -> name.replace('\\', '/')).toList());
      assertThat(reading.runs).extracting(ReportedRun::className).containsOnly("Cart");
    }
  }

  @Test
  void the_texts_of_lines_are_whole() throws IOException {
    String lines =
        NAMES.stream()
            .map(
                name ->
                    "{\"Action\":\"output\",\"Package\":%s,\"Test\":%s,\"Output\":%s}\n{\"Action\":\"fail\",\"Package\":%s,\"Test\":%s}\n"
                        .formatted(
                            json("p" + name), json(name), json(name), json("p" + name), json(name)))
            .collect(Collectors.joining());
    for (Reading reading : List.of(Reading.of(lines), inPieces(lines))) {
      assertThat(reading.names()).isEqualTo(NAMES);
      assertThat(reading.runs)
          .extracting(run -> run.failure().orElseThrow().stack())
          .isEqualTo(NAMES.stream().map(String::strip).toList());
      assertThat(reading.runs)
          .extracting(ReportedRun::className)
          .isEqualTo(NAMES.stream().map(name -> "p" + name).toList());
    }
  }

  @Test
  void the_texts_of_tap_are_whole() throws IOException {
    List<String> names =
        IntStream.range(0, NAMES.size())
            .mapToObj(i -> i + " " + NAMES.get(i).replace('\n', ' ').replace('\t', ' ') + " end")
            .toList();
    for (String end : List.of("\n", "\r\n")) {
      String text =
          names.stream()
              .map(name -> "ok - " + name + end)
              .collect(Collectors.joining("", "\ufeff1.." + names.size() + end, ""));
      for (Reading reading : List.of(Reading.of(text), inPieces(text))) {
        assertThat(reading.skips).isEmpty();
        assertThat(reading.names()).isEqualTo(names);
      }
    }
  }

  @Test
  void the_texts_of_xml_are_whole() throws IOException {
    String document =
        NAMES.stream()
            .map(
                name ->
                    "<testcase name=\"%s\" classname=\" %s \"><failure>%s</failure></testcase>\n"
                        .formatted(xml(name), xml(name), xml(name)))
            .collect(Collectors.joining("", "<testsuite name=\"s\">", "</testsuite>"));
    for (Reading reading : List.of(Reading.of(document), inPieces(document))) {
      assertThat(reading.skips).isEmpty();
      assertThat(reading.names()).isEqualTo(NAMES);
      assertThat(reading.runs)
          .extracting(ReportedRun::className)
          .isEqualTo(NAMES.stream().map(name -> " " + name + " ").toList());
      assertThat(reading.runs)
          .extracting(run -> run.failure().orElseThrow().stack())
          .isEqualTo(NAMES.stream().map(String::strip).toList());
    }
  }

  @Test
  void bytes_that_are_no_text_in_xml_lose_only_themselves() throws IOException {
    var document = new ArrayList<Byte>();
    for (int i = 0; i < 2000; i++) {
      String test = "<testcase name='" + "x".repeat(i % 37) + "\u00e9\u0007' classname='é大'/>";
      for (byte b :
          test.getBytes(i % 2 == 0 ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8)) {
        document.add(b);
      }
    }
    byte[] bytes = new byte[document.size()];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = document.get(i);
    }
    String wrapped =
        "<testsuite>" + new String(bytes, StandardCharsets.ISO_8859_1) + "</testsuite>";
    var reading = Reading.of(wrapped.getBytes(StandardCharsets.ISO_8859_1));
    assertThat(reading.skips).isEmpty();
    assertThat(reading.names())
        .isEqualTo(IntStream.range(0, 2000).mapToObj(i -> "x".repeat(i % 37) + "é\ufffd").toList());
    assertThat(reading.runs.get(1).className()).isEqualTo("é大");
  }

  @Test
  void the_texts_of_xml_in_another_encoding_are_whole() throws IOException {
    for (String name : List.of("UTF-16LE", "UTF-16BE", "UTF-16", "GB18030", "CESU-8")) {
      String document =
          NAMES.stream()
              .map(text -> "<testcase name=\"%s\"/>\n".formatted(xml(text)))
              .collect(
                  Collectors.joining(
                      "",
                      "<?xml version='1.0' encoding='%s'?><testsuite>".formatted(name),
                      "</testsuite>"));
      byte[] bytes = document.getBytes(Charset.forName(name));
      for (Reading reading : List.of(Reading.of(bytes), inPieces(bytes))) {
        assertThat(reading.skips).as(name).isEmpty();
        assertThat(reading.names()).as(name).isEqualTo(NAMES);
      }
    }
  }

  @Test
  void characters_of_which_a_byte_is_missing_are_read_as_latin_1_wherever_they_lie()
      throws IOException {
    for (String head : List.of("", "<?xml version='1.0' encoding='Shift_JIS'?>")) {
      for (int shift = 0; shift < 4; shift++) {
        String name = "x".repeat(shift) + "\u00f0\u00a8\u00a0y".repeat(3000);
        String document = head + "<testcase name='" + name + "'/>";
        assertThat(Reading.of(document.getBytes(StandardCharsets.ISO_8859_1)).only().name())
            .hasSameSizeAs(name)
            .satisfies(
                read -> assertThat(head.isEmpty() ? read : name).isEqualTo(name),
                read -> assertThat(read).endsWith("y"));
      }
    }
  }

  @Test
  void marks_of_xml_mean_the_same_wherever_they_lie() throws IOException {
    String marks =
        "<testcase name='<<<%d&#65;&nope;&#x1;&>b\u0001\uffff\uffef'><failure><![CDATA[&lt;<<]]&\u0002]]>&lt;<!-- <<& -->]&c<<</failure></testcase>";
    String document =
        IntStream.range(0, 2000)
            .mapToObj(i -> "-".repeat(i % 113) + marks.replace("%d", String.valueOf(i)))
            .collect(Collectors.joining("", "<testsuite>", "</testsuite>"));
    for (Reading reading : List.of(Reading.of(document), inPieces(document))) {
      assertThat(reading.skips).isEmpty();
      assertThat(reading.names())
          .isEqualTo(
              IntStream.range(0, 2000)
                  .mapToObj(i -> "<<<" + i + "A&nope;\ufffd&>b\ufffd\ufffd\uffef")
                  .toList());
      assertThat(reading.runs)
          .extracting(run -> run.failure().orElseThrow().stack())
          .containsOnly("&lt;<<]]&\ufffd<]&c<<");
    }
  }

  @Test
  void a_stream_that_breaks_gives_all_that_came_before() throws IOException {
    String cases =
        IntStream.range(0, 150)
            .mapToObj("<testcase name='%d'/>"::formatted)
            .collect(Collectors.joining());
    var reading = new Reading();
    var whole = new ByteArrayInputStream(("<testsuite>" + cases).getBytes(StandardCharsets.UTF_8));
    var torn =
        new FilterInputStream(whole) {
          @Override
          public int read(byte[] target, int offset, int length) throws IOException {
            if (whole.available() == 0) {
              throw new IOException("torn");
            }
            return super.read(target, offset, length);
          }
        };
    Reports.read(torn, "report", reading);
    assertThat(reading.runs).hasSize(150);
    assertThat(reading.skips).hasSize(1);
  }

  @Test
  void json_in_another_encoding_is_read() throws IOException {
    String document =
        "{\"version\":\"3\",\"examples\":[{\"description\":\"größer\",\"status\":\"passed\"}]}";
    assertThat(Reading.of(document.getBytes(StandardCharsets.UTF_16LE)).only().name())
        .isEqualTo("größer");
    assertThat(Reading.of("\ufeff" + document).only().name()).isEqualTo("größer");
  }

  @Test
  void what_a_shell_wrote_in_utf_16_is_read() throws IOException {
    String lines =
        NAMES.stream()
            .map(
                name ->
                    "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":%s}\r\n".formatted(json(name)))
            .collect(Collectors.joining());
    for (String mark : List.of("UTF-16LE", "UTF-16BE")) {
      Charset charset = Charset.forName(mark);
      var reading = Reading.of(("\ufeff" + lines).getBytes(charset));
      assertThat(reading.names()).isEqualTo(NAMES);
      assertThat(reading.skips).isEmpty();
      assertThat(Reading.of("\ufeffok 1 - größer\r\n1..1\r\n".getBytes(charset)).only().name())
          .isEqualTo("größer");
      assertThat(Reading.of("\ufeff<testcase name='größer'/>".getBytes(charset)).only().name())
          .isEqualTo("größer");
    }
  }

  @Test
  void nothing_of_a_text_that_json_does_not_allow_is_told() throws IOException {
    String suite =
        "{\"numTotalTests\":1,\"testResults\":[{\"assertionResults\":[{\"title\":\"a\",\"status\":\"passed\"}],\"name\":\"%s\"}]}";
    for (String name : List.of("a\0b", "a\nb", "a\u001bb", "a\\xb")) {
      var reading = Reading.of(suite.replace("%s", name));
      assertThat(reading.skips).hasSize(1);
      assertThat(reading.runs).extracting(ReportedRun::file).containsExactly("");
    }
    var line =
        Reading.of(
            "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"a\0\"}\n{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"b\"}");
    assertThat(line.names()).containsExactly("b");
    assertThat(line.skips).hasSize(1);
  }

  @Test
  void lines_of_a_shape_that_came_before_are_checked_all_the_same() throws IOException {
    String line = "{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"%s\",\"Elapsed\":%s}\n";
    String good = line.formatted("A", "1.5");
    for (String bad :
        List.of(
            line.formatted("a\\xb", "1"),
            line.formatted("a\\", "1"),
            line.formatted("a\u0001", "1"),
            line.formatted("a", "01"),
            line.formatted("a", "1."),
            line.formatted("a", "-"),
            line.formatted("a", "1x"))) {
      var reading = Reading.of(good.repeat(3) + bad + good);
      assertThat(reading.names()).as(bad).containsExactly("A", "A", "A", "A");
      assertThat(reading.skips).as(bad).hasSize(1);
      assertThat(reading.skips.getFirst().line()).isEqualTo(4);
    }
    var reading =
        Reading.of(
            good.repeat(2)
                + line.formatted("\\u00e9\\n\\b", "2e0")
                + line.formatted("\\\\\\\"", "-1")
                + line.formatted("\\u001b[1mB\\u001b[0m", "\"3\"")
                + line.formatted("C", "null")
                + line.formatted("D", "[4]")
                + line.formatted("E", "5").replace("}", ",\"x\":true}")
                + line.formatted("F", "6").replace("}", ",\"x\":false}"));
    assertThat(reading.skips).isEmpty();
    assertThat(reading.names())
        .containsExactly("A", "A", "é\n\ufffd", "\\\"", "B", "C", "D", "E", "F");
    assertThat(reading.runs)
        .extracting(ReportedRun::durationMillis)
        .containsExactly(1500, 1500, 2000, -1, -1, -1, -1, 5000, 6000);
  }

  @Test
  void numbers_in_lines_of_a_known_shape_are_what_a_parser_reads() throws IOException {
    String begin =
        "{\"test\":{\"id\":1,\"name\":\"a\",\"suiteID\":0,\"groupIDs\":[]},\"type\":\"testStart\",\"time\":%s}\n";
    String end =
        "{\"testID\":1,\"result\":\"success\",\"skipped\":false,\"hidden\":false,\"type\":\"testDone\",\"time\":%s}\n";
    List<String> ends = List.of("0", "7", "25.75", "4000", "100000000000001", "-3", "1e1", "9");
    List<Integer> millis = List.of(0, 7, 26, 4000, -1, -1, 10, 9);
    String tests =
        ends.stream()
            .map(time -> begin.formatted("0") + end.formatted(time))
            .collect(
                Collectors.joining(
                    "",
                    "{\"protocolVersion\":\"0.1.1\",\"runnerVersion\":\"1.25.2\",\"type\":\"start\",\"time\":0}\n"
                        + (begin.formatted("5") + end.formatted("6")).repeat(3),
                    "{\"success\":true,\"type\":\"done\",\"time\":9}\n"));
    var reading = Reading.of(tests);
    assertThat(reading.skips).isEmpty();
    assertThat(reading.runs)
        .extracting(ReportedRun::durationMillis)
        .containsExactlyElementsOf(Stream.concat(Stream.of(1, 1, 1), millis.stream()).toList());
    String late = begin.formatted("100000000000000000") + end.formatted("100000000000000064");
    assertThat(Reading.of(tests.replace("{\"success\"", late + "{\"success\"")).runs.getLast())
        .extracting(ReportedRun::durationMillis)
        .isEqualTo(64);
  }

  @Test
  void values_of_another_kind_in_lines_of_a_known_shape_mean_the_same_in_each() throws IOException {
    String line = "{\"Action\":%s,\"Package\":\"p\",\"Test\":%s,\"Elapsed\":%s}\n";
    var reading =
        Reading.of(
            line.formatted("\"pass\"", "\"A\"", "\"3\"").repeat(5)
                + line.formatted("\"pass\"", "7", "4").repeat(5)
                + line.formatted("true", "\"B\"", "1").repeat(5)
                + line.formatted("8", "\"C\"", "1").repeat(5));
    assertThat(reading.skips).isEmpty();
    assertThat(reading.names())
        .containsExactlyElementsOf(
            Stream.of("A", "7").flatMap(name -> Collections.nCopies(5, name).stream()).toList());
    assertThat(reading.runs)
        .extracting(ReportedRun::durationMillis)
        .containsExactly(-1, -1, -1, -1, -1, 4000, 4000, 4000, 4000, 4000);
  }

  @Test
  void much_output_of_a_go_test_keeps_its_beginning_and_its_end() throws IOException {
    String said = "{\"Action\":\"output\",\"Package\":\"p\",\"Test\":\"T\",\"Output\":\"%s\\n\"}\n";
    String lines =
        said.replace("%s", "the first \\u00e9")
            + said.replace("%s", "\\\\\\\" in the middle").repeat(5000)
            + said.replace("%s", "y".repeat(9000) + " the last \\u0009")
            + "{\"Action\":\"fail\",\"Package\":\"p\",\"Test\":\"T\"}\n";
    var failure = Reading.of(lines).only().failure().orElseThrow();
    assertThat(failure.message()).isEqualTo("the first é");
    assertThat(failure.stack())
        .startsWith("the first é\n\\\" in the middle\n\\\" in")
        .endsWith("yyy the last")
        .hasSizeLessThanOrEqualTo(4000);
    assertThat(
            Reading.of(lines.replace("the first \\u00e9", "\\u001b[31mred\\u001b[0m"))
                .only()
                .failure()
                .orElseThrow()
                .message())
        .isEqualTo("red");
  }

  @Test
  void go_tests_that_hang_are_named_however_their_text_is_written() throws IOException {
    for (String tab : List.of("\\t", "\\u0009")) {
      var reading =
          Reading.of(
              """
              {"Action":"run","Package":"p","Test":"TestA"}
              {"Action":"run","Package":"p","Test":"TestB"}
              {"Action":"output","Package":"p","Test":"TestB","Output":"panic: test timed out after 1s\\n"}
              {"Action":"output","Package":"p","Test":"TestB","Output":"TABrunning tests:\\n"}
              {"Action":"output","Package":"p","Test":"TestB","Output":"TABTABTestA (1s)\\n"}
              {"Action":"output","Package":"p","Test":"TestB","Output":"FAILTABp\\n"}
              {"Action":"fail","Package":"p"}
              """
                  .replace("TAB", tab));
      assertThat(reading.outcomes()).containsExactly(ERRORED, SKIPPED);
      assertThat(reading.runs.getFirst().failure().orElseThrow().stack())
          .isEqualTo("panic: test timed out after 1s\n\trunning tests:\n\t\tTestA (1s)");
    }
  }

  @Test
  void labels_and_words_of_allure_are_read_in_any_order_and_spelling() throws IOException {
    var run =
        Reading.of(
                """
                {"uuid":"1","name":"adds","status":"fail\\u0065d","fullName":"x#y","labels":[{"value":"shop","name":"suite"},
                {"name":"host","value":"h"},{"value":"v","name":"other"},{"name":"parentSuit\\u0065","value":"all"},{"name":5,"value":"n"},
                {"name":"testClass","value":"shop.Cart"}]}
                """)
            .only();
    assertThat(run.outcome()).isEqualTo(FAILED);
    assertThat(run.parent()).isEqualTo("all");
    assertThat(run.className()).isEqualTo("shop.Cart");
    var plain =
        Reading.of(
                "{\"uuid\":\"1\",\"name\":\"adds\",\"status\":\"passed\",\"labels\":[{\"value\":\"shop\",\"name\":\"suite\"}]}")
            .only();
    assertThat(plain.outcome()).isEqualTo(PASSED);
    assertThat(plain.parent()).isEqualTo("shop");
  }
}
