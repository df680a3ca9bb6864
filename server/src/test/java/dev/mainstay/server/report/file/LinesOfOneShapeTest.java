package dev.mainstay.server.report.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Lines that differ in their values only are read without a parser. With a field in each that no
 * other line has, every line needs one: both must tell the same.
 */
class LinesOfOneShapeTest {
  private static final int TESTS = 400;

  /** The line with which the first test begins. */
  private static final int FIRST_TEST = 4;

  private static final List<String> NAMES =
      List.of(
          "cart keeps the order",
          "",
          "Größe 大小 \ud83d\ude00",
          "says \\\"no\\\" and \\\\",
          "two\\nlines",
          "\\u00e9t\\u00e9",
          "} ], { \\\" :");

  private static final List<String> GROUPS =
      List.of("[]", "[2]", "[2,3]", "[ 2 , 4 ]", "null", "[[3],2]");

  private static final List<String> MORE =
      List.of(
          "\"metadata\":{\"skip\":false,\"skipReason\":null}",
          "\"metadata\":{\"skip\":true,\"skipReason\":\"later\"}",
          "\"metadata\":{}",
          "\"metadata\":[{\"id\":7},[true,{\"name\":\"inner\"}],\"x\"]",
          "\"metadata\":null",
          "\"line\":-6,\"column\":5.25,\"url\":\"file:///a/b_test.dart\"",
          "\"line\":6e2");

  private static String report(Random random) {
    var lines = new ArrayList<String>();
    lines.add(
        "{\"protocolVersion\":\"0.1.1\",\"runnerVersion\":\"1.25.2\",\"type\":\"start\",\"time\":0}");
    lines.add(
        "{\"suite\":{\"id\":0,\"platform\":\"vm\",\"path\":\"test/cart_test.dart\"},\"type\":\"suite\",\"time\":0}");
    lines.add(
        "{\"group\":{\"id\":3,\"suiteID\":0,\"name\":\"cart\"},\"type\":\"group\",\"time\":1}");
    lines.add(
        "{\"group\":{\"id\":4,\"suiteID\":0,\"name\":\"says\"},\"type\":\"group\",\"time\":1}");
    for (int i = 10; i < 10 + TESTS; i++) {
      lines.add(
          "{\"test\":{\"id\":%d,\"name\":\"%s %d\",\"suiteID\":0,\"groupIDs\":%s,%s},\"type\":\"testStart\",\"time\":%d}"
              .formatted(i, one(NAMES, random), i, one(GROUPS, random), one(MORE, random), i));
      if (random.nextInt(5) == 0) {
        lines.add(
            "{\"testID\":%d,\"error\":\"%s\",\"stackTrace\":\"at %d\",\"isFailure\":true,\"type\":\"error\",\"time\":%d}"
                .formatted(i, one(NAMES, random), i, i));
      }
      lines.add(
          "{\"testID\":%d,\"result\":\"%s\",\"skipped\":%s,\"hidden\":false,\"type\":\"testDone\",\"time\":%d}"
              .formatted(
                  i,
                  one(List.of("success", "failure", "error"), random),
                  random.nextBoolean(),
                  i + random.nextInt(50)));
    }
    lines.add("{\"success\":false,\"type\":\"done\",\"time\":1955}");
    return String.join("\n", lines) + "\n";
  }

  private static String one(List<String> some, Random random) {
    return some.get(random.nextInt(some.size()));
  }

  /** The same with a field in each line that no other line has. */
  private static String eachOfItsOwnShape(String report) {
    var own = new StringBuilder();
    int[] count = {0};
    report
        .lines()
        .forEach(
            line ->
                own.append("{\"own")
                    .append(count[0]++)
                    .append("\":0,")
                    .append(line, 1, line.length())
                    .append('\n'));
    return own.toString();
  }

  @Test
  void they_tell_what_the_parser_tells() throws IOException {
    for (int seed = 1; seed <= 20; seed++) {
      String report = report(new Random(seed));
      Reading shaped = Reading.of(report);
      Reading parsed = Reading.of(eachOfItsOwnShape(report));
      assertThat(shaped.runs).as("seed %d", seed).hasSize(TESTS).isEqualTo(parsed.runs);
      assertThat(shaped.skips).isEmpty();
    }
  }

  @Test
  void a_line_that_only_begins_like_others_is_told_as_broken() throws IOException {
    List<String> lines = report(new Random(1)).lines().toList();
    String start = lines.get(FIRST_TEST);
    for (int cut = 1; cut < start.length(); cut++) {
      var broken = new ArrayList<>(lines.subList(0, lines.size() - 1));
      broken.add(start.substring(0, cut));
      broken.add(lines.getLast());
      assertThat(Reading.of(String.join("\n", broken)).skips).as("cut after %d", cut).hasSize(1);
    }
  }
}
