package dev.mainstay.server.web.graph;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.web.svg.Xml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class QueueDrawingTest {
  private static final String HOSTILE =
      "\u202E</text><script>alert('1')</script>\u0000\uD800 & \" 👨‍👩‍👧‍👦 مرحبا ".repeat(250);

  static Stream<QueuePicture> queues() {
    return Stream.of(
        SampleQueues.single(0),
        SampleQueues.single(3),
        SampleQueues.single(300),
        SampleQueues.parallel(30, 8),
        SampleQueues.tangled(100, 1),
        SampleQueues.batches(70),
        hostile());
  }

  private static QueuePicture hostile() {
    return new QueuePicture(
        HOSTILE,
        true,
        1,
        HOSTILE,
        List.of(SampleQueues.titled(1, HOSTILE), SampleQueues.titled(2, HOSTILE)),
        List.of(SampleQueues.run(HOSTILE, HOSTILE, List.of(1, 2), List.of(7), 99, 3)));
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("queues")
  void it_is_well_formed_with_ids_of_its_own_and_no_style_of_its_own(QueuePicture queue) {
    Document document = Xml.parse(QueueDrawing.svg(queue));
    List<Element> elements = Xml.all(document, "*");
    assertThat(elements.stream().map(e -> e.getAttribute("id")).filter(id -> !id.isEmpty()))
        .doesNotHaveDuplicates();
    assertThat(elements).allMatch(e -> !e.hasAttribute("style"));
    assertThat(Xml.all(document, "script")).isEmpty();
    assertThat(Xml.all(document, "a"))
        .allMatch(a -> a.getAttribute("href").matches("[/#].*"))
        .allMatch(a -> a.getFirstChild().getNodeName().equals("title"));
    assertThat(document.getDocumentElement().getTextContent()).doesNotContain("\u202E", "\u0000");
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("queues")
  void the_same_queue_makes_the_same_picture(QueuePicture queue) {
    assertThat(QueueDrawing.svg(queue)).isEqualTo(QueueDrawing.svg(queue));
  }

  @Test
  void every_step_names_the_steps_that_it_stands_on() {
    Document document = Xml.parse(QueueDrawing.svg(SampleQueues.batches(3)));
    List<String> ids = Xml.all(document, "g").stream().map(g -> g.getAttribute("id")).toList();
    List<Element> steps =
        Xml.all(document, "g").stream()
            .filter(g -> g.getAttribute("class").equals("step"))
            .toList();
    assertThat(steps).hasSize(13);
    for (Element step : steps) {
      for (String on : step.getAttribute("data-on").split(" ", -1)) {
        assertThat(on.isEmpty() || on.equals("root") || ids.contains("step-" + on)).isTrue();
      }
    }
    assertThat(ids).contains("run-b0", "step-run-b0", "pr-324", "pr-500");
  }

  @Test
  void a_long_batch_names_some_of_its_members_and_how_many_more_there_are() {
    String svg = QueueDrawing.svg(SampleQueues.batches(0));
    assertThat(svg).contains("Batch of 11", "id=\"pr-313\"", "id=\"pr-315\"", "+8 more");
    assertThat(svg).doesNotContain("id=\"pr-316\"");
  }

  @Test
  void what_is_too_much_to_draw_is_named_as_a_range() {
    String svg = QueueDrawing.svg(SampleQueues.single(1000));
    assertThat(svg).contains("#2160 … #4197, 680 more", "+680 waiting", "href=\"#all\"");
  }

  @Test
  void a_state_is_told_by_colour_and_shape_and_words() {
    Look[] looks = Look.values();
    assertThat(Arrays.stream(looks).map(l -> l.shape)).doesNotHaveDuplicates();
    assertThat(Arrays.stream(looks).map(l -> l.words)).doesNotHaveDuplicates();
    String css = resource("/web/graph.css");
    assertThat(looks).allMatch(look -> css.contains("." + look.style()));
    assertThat(QueueDrawing.svg(SampleQueues.single(5)))
        .contains("Passed", "Testing 3/9", "Failed, waits")
        .contains("is-tests-passed", "is-testing", "is-pending-failure");
  }

  @Test
  void the_bar_in_a_box_is_as_long_as_its_checks_are_far() {
    Document document = Xml.parse(QueueDrawing.svg(SampleQueues.single(3)));
    List<Element> tracks = ofClass(document, "track");
    List<Element> done = ofClass(document, "done");
    assertThat(tracks).hasSize(2);
    double length = Double.parseDouble(tracks.get(1).getAttribute("width"));
    assertThat(Double.parseDouble(done.get(1).getAttribute("width")))
        .isBetween(length * 5 / 9 - 1, length * 5 / 9);
  }

  private static List<Element> ofClass(Document document, String name) {
    return Xml.all(document, "rect").stream()
        .filter(r -> r.getAttribute("class").equals(name))
        .toList();
  }

  @Test
  void an_empty_queue_says_so() {
    assertThat(QueueDrawing.svg(SampleQueues.single(0))).contains("Nobody is in this queue.");
  }

  private static String resource(String name) {
    try (var in = QueueDrawingTest.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
