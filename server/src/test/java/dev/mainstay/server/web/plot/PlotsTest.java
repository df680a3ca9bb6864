package dev.mainstay.server.web.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.web.plot.SamplePlots.Drawn;
import dev.mainstay.server.web.svg.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class PlotsTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");

  static Stream<List<Drawn>> plots() {
    IntToDoubleFunction plain = i -> 5 + i % 7;
    IntToDoubleFunction odd =
        i -> new double[] {0, Double.NaN, Double.POSITIVE_INFINITY, -5, 1e300, 1e-300, 3}[i % 7];
    return Stream.of(
        SamplePlots.all(0, HOUR, plain),
        SamplePlots.all(1, HOUR, plain),
        SamplePlots.all(1, Duration.ZERO, plain),
        SamplePlots.all(14, Duration.ofDays(1), plain),
        SamplePlots.all(1000, HOUR, plain),
        SamplePlots.all(20, Duration.ofDays(900), odd),
        SamplePlots.all(20, HOUR, i -> 0));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("plots")
  void every_number_is_one_and_lies_in_the_picture(List<Drawn> plots) {
    for (Drawn plot : plots) {
      assertThat(plot.svg()).doesNotContain("NaN", "Infinity", "style=");
      Document document = Xml.parse(plot.svg());
      for (Element svg : Xml.all(document, "svg")) {
        double width = number(svg, "width");
        double height = number(svg, "height");
        for (Element element : Xml.all(document, "*")) {
          inside(element, List.of("x", "x1", "x2", "cx"), width);
          inside(element, List.of("y", "y1", "y2", "cy"), height);
        }
        for (Element rect : Xml.all(document, "rect")) {
          assertThat(number(rect, "x") + number(rect, "width")).isLessThanOrEqualTo(width + 1);
          assertThat(number(rect, "y") + number(rect, "height")).isLessThanOrEqualTo(height + 1);
        }
        for (Element path : Xml.all(document, "path")) {
          assertThat(NUMBER.matcher(path.getAttribute("d")).results().map(MatchResult::group))
              .allMatch(n -> Double.parseDouble(n) >= 0 && Double.parseDouble(n) <= width);
        }
      }
    }
  }

  private static void inside(Element element, List<String> names, double most) {
    if (!element.getTagName().equals("svg")) {
      names.stream()
          .filter(element::hasAttribute)
          .forEach(name -> assertThat(number(element, name)).isBetween(0.0, most));
    }
  }

  private static double number(Element element, String name) {
    return Double.parseDouble(element.getAttribute(name));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("plots")
  void a_table_says_the_same_in_rows_as_wide_as_its_head(List<Drawn> plots) {
    for (Drawn plot : plots) {
      assertThat(plot.table().rows()).allMatch(row -> row.size() == plot.table().head().size());
    }
  }

  @Test
  void where_there_is_nothing_a_sentence_says_so() {
    for (Drawn plot : SamplePlots.all(0, HOUR, i -> 1)) {
      assertThat(plot.svg()).doesNotContain("<svg");
      assertThat(Xml.parse(plot.svg()).getDocumentElement().getTextContent()).contains("n");
      assertThat(plot.table().rows()).isEmpty();
    }
  }

  @Test
  void every_segment_leads_to_what_is_behind_it_and_says_what_it_is() {
    StackedBars bars = SamplePlots.bars(3, Duration.ofDays(1), i -> 8);
    List<Element> links = Xml.all(Xml.parse(bars.svg()), "a");
    assertThat(links).hasSize(24);
    assertThat(links.get(9).getAttribute("href")).isEqualTo("/list?reason=1&at=1");
    assertThat(links.get(9).getTextContent()).isEqualTo("2026-01-06: test_failed 4");
    assertThat(bars.table().rows().get(1).get(2).text()).isEqualTo("4");
  }

  @Test
  void segments_of_a_bar_stand_on_each_other_without_gaps() {
    List<Element> rects =
        Xml.all(Xml.parse(SamplePlots.bars(1, HOUR, i -> 8).svg()), "rect").stream()
            .filter(r -> r.getAttribute("class").startsWith("segment"))
            .toList();
    for (int i = 1; i < rects.size(); i++) {
      double bottom = number(rects.get(i), "y") + number(rects.get(i), "height");
      assertThat(bottom)
          .isBetween(number(rects.get(i - 1), "y") - 0.2, number(rects.get(i - 1), "y") + 0.2);
    }
  }

  @Test
  void a_missing_value_is_a_gap_in_the_line() {
    Document document = Xml.parse(SamplePlots.band(20, HOUR, i -> 4).svg());
    assertThat(Xml.all(document, "path").stream().map(p -> p.getAttribute("class")))
        .containsExactly("band", "line s1", "band", "line s1");
  }

  @Test
  void hostile_names_are_text() {
    String name = "\u202E</svg><script>alert(1)</script>\u0000".repeat(300);
    var bars =
        new StackedBars(
            name,
            Unit.COUNT,
            List.of(name),
            List.of(
                new StackedBars.Bar(
                    SamplePlots.START,
                    SamplePlots.START.plusSeconds(60),
                    List.of(new StackedBars.Segment(1, "javascript:alert(1)")))));
    Document document = Xml.parse(bars.svg());
    assertThat(Xml.all(document, "script")).isEmpty();
    assertThat(Xml.all(document, "a")).allMatch(a -> a.getAttribute("href").equals("#"));
  }

  @Test
  void marks_are_at_round_numbers_and_reach_above_the_most() {
    assertThat(Ticks.upTo(7, Unit.COUNT)).containsExactly(0.0, 2.0, 4.0, 6.0, 8.0);
    assertThat(Ticks.upTo(0, Unit.COUNT)).containsExactly(0.0, 1.0);
    assertThat(Ticks.upTo(1, Unit.SHARE)).containsExactly(0.0, 0.25, 0.5, 0.75, 1.0);
    assertThat(Ticks.upTo(5000, Unit.SECONDS)).containsExactly(0.0, 1800.0, 3600.0, 5400.0);
    for (double most = 1e-9; most < 1e18; most *= 3) {
      for (Unit unit : Unit.values()) {
        List<Double> ticks = Ticks.upTo(most, unit);
        assertThat(ticks).hasSizeBetween(2, 7).isSorted();
        assertThat(ticks.getLast()).isGreaterThanOrEqualTo(Unit.safe(most));
      }
    }
  }

  @Test
  void times_are_marked_by_hour_by_day_and_by_month() {
    Instant start = SamplePlots.START;
    assertThat(texts(start, HOUR.multipliedBy(24)))
        .startsWith("Jan 5", "03:00", "06:00")
        .endsWith("Jan 6");
    assertThat(texts(start, Duration.ofDays(7))).startsWith("Jan 5", "Jan 6").endsWith("Jan 12");
    assertThat(texts(start, Duration.ofDays(1500)))
        .allMatch(t -> t.matches("[A-Z]..? ?\\w* ?20\\d\\d"));
    assertThat(texts(start, Duration.ofDays(400_000))).hasSizeLessThan(12);
  }

  private static List<String> texts(Instant from, Duration length) {
    return Ticks.between(from, from.plus(length)).stream().map(Ticks.Time::text).toList();
  }

  @Test
  void numbers_are_short() {
    assertThat(Unit.COUNT.write(1234567)).isEqualTo("1.23M");
    assertThat(Unit.COUNT.write(100)).isEqualTo("100");
    assertThat(Unit.SECONDS.write(5400)).isEqualTo("1.5 h");
    assertThat(Unit.SECONDS.write(Double.NaN)).isEqualTo("0 s");
    assertThat(Unit.SHARE.write(0.125)).isEqualTo("12.5 %");
  }

  @Test
  void colours_of_series_stand_out_on_light_and_on_dark_paper() throws IOException {
    String css;
    try (var in = PlotsTest.class.getResourceAsStream("/web/plot.css")) {
      css = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
    List<String> colours =
        Pattern.compile("--series-\\d: (#\\w{6})")
            .matcher(css)
            .results()
            .map(m -> m.group(1))
            .toList();
    assertThat(colours).hasSize(24);
    assertThat(colours.subList(0, 8))
        .allMatch(c -> contrast(c, "#ffffff") >= 3)
        .doesNotHaveDuplicates();
    assertThat(colours.subList(8, 16))
        .allMatch(c -> contrast(c, "#12161d") >= 3)
        .isEqualTo(colours.subList(16, 24));
  }

  private static double contrast(String one, String other) {
    double a = light(one);
    double b = light(other);
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }

  private static double light(String colour) {
    double[] weights = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      double part = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
      sum += weights[i] * (part <= 0.04045 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
  }
}
