package dev.mainstay.server.web.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mainstay.server.web.graph.Scene.Edge;
import dev.mainstay.server.web.graph.Scene.Panel;
import dev.mainstay.server.web.graph.Scene.Point;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompositionTest {
  static Stream<QueuePicture> queues() {
    return Stream.of(
            Stream.of(0, 1, 3, 9, 10, 30, 60, 300, 1000).map(SampleQueues::single),
            Stream.of(3, 8, 30, 300).map(n -> SampleQueues.parallel(n, n / 8 + 3)),
            IntStream.range(0, 12).mapToObj(seed -> SampleQueues.tangled(5 + seed * 9, seed)),
            Stream.of(SampleQueues.tangled(300, 3), SampleQueues.tangled(400, 4)),
            Stream.of(0, 7, 300).map(SampleQueues::batches))
        .flatMap(s -> s);
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("queues")
  void no_box_covers_another_and_all_are_in_the_picture(QueuePicture queue) {
    Scene scene = Composition.of(queue);
    for (Box box : scene.boxes()) {
      assertThat(box.x()).isBetween(0, scene.width() - box.width());
      assertThat(box.y()).isBetween(scene.root().bottom() - 4, scene.height() - box.height());
      assertThat(scene.boxes().stream().filter(other -> touch(box, other)).count()).isEqualTo(1);
    }
    for (Panel panel : scene.panels()) {
      assertThat(panel.area().right()).isLessThanOrEqualTo(scene.width());
      assertThat(panel.area().bottom()).isLessThanOrEqualTo(scene.height());
    }
    assertThat(scene.width()).isLessThanOrEqualTo(Composition.WIDEST);
  }

  private static boolean touch(Box a, Box b) {
    return a.x() < b.x() + b.width()
        && b.x() < a.x() + a.width()
        && a.y() < b.bottom()
        && b.y() < a.bottom();
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("queues")
  void every_edge_begins_and_ends_at_its_boxes_and_crosses_no_other(QueuePicture queue) {
    Scene scene = Composition.of(queue);
    Map<String, Box> boxes =
        scene.boxes().stream().collect(Collectors.toMap(b -> b.unit().id(), Function.identity()));
    for (Edge edge : scene.edges()) {
      Box from = Objects.requireNonNull(boxes.get(edge.from()));
      assertThat(edge.way().getFirst()).isEqualTo(new Point(from.middle(), from.y()));
      Point end = edge.way().getLast();
      if (edge.to().equals(Scene.ROOT)) {
        assertThat(end.y()).isEqualTo(scene.root().bottom());
        assertThat(end.x()).isBetween(scene.root().x(), scene.root().right());
      } else {
        Box to = Objects.requireNonNull(boxes.get(edge.to()));
        assertThat(end).isEqualTo(new Point(to.middle(), to.bottom()));
      }
      for (int i = 1; i < edge.way().size(); i++) {
        Point a = edge.way().get(i - 1);
        Point b = edge.way().get(i);
        assertThat(b.x()).isBetween(0, scene.width());
        assertThat(scene.boxes().stream().noneMatch(box -> crosses(a, b, box))).isTrue();
      }
    }
  }

  private static boolean crosses(Point a, Point b, Box box) {
    return Math.max(a.x(), b.x()) > box.x()
        && Math.min(a.x(), b.x()) < box.x() + box.width()
        && Math.max(a.y(), b.y()) > box.y()
        && Math.min(a.y(), b.y()) < box.bottom();
  }

  @ParameterizedTest(name = "{index}")
  @MethodSource("queues")
  void everybody_is_in_the_picture_once(QueuePicture queue) {
    List<Integer> shown =
        Composition.of(queue).boxes().stream()
            .flatMap(box -> Words.numbersOf(box.unit()).stream())
            .toList();
    assertThat(shown)
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(
            queue.entries().stream().map(QueuePicture.Entry::number).toList());
  }

  /** The way to the root, by edges, reaches all that somebody waits for. */
  @Test
  void what_somebody_waits_for_is_on_its_way_to_the_root() {
    QueuePicture queue = SampleQueues.tangled(200, 5);
    Map<String, List<String>> on =
        Composition.of(queue).boxes().stream()
            .collect(Collectors.toMap(b -> b.unit().id(), b -> b.unit().on()));
    for (QueuePicture.Entry entry : queue.entries()) {
      var way = new HashSet<String>();
      reach(Unit.idOf(entry.number()), on, way);
      assertThat(way).containsAll(entry.waitsFor().stream().map(Unit::idOf).toList());
    }
  }

  private static void reach(String id, Map<String, List<String>> on, Set<String> way) {
    if (way.add(id)) {
      on.getOrDefault(id, List.of()).forEach(next -> reach(next, on, way));
    }
  }

  @Test
  void what_lands_next_is_right_below_the_target_branch_and_each_stands_on_the_one_before() {
    Scene scene = Composition.of(SampleQueues.single(3));
    assertThat(scene.edges())
        .extracting(Edge::from, Edge::to)
        .containsExactly(
            tuple("pr-1200", "root"), tuple("pr-1203", "pr-1200"), tuple("pr-1206", "pr-1203"));
    assertThat(scene.boxes()).extracting(Box::y).isSorted();
  }

  @Test
  void it_stays_small_enough_to_be_read() {
    assertThat(Composition.of(SampleQueues.single(30)).height()).isLessThan(1000);
    assertThat(Composition.of(SampleQueues.single(300)).height()).isLessThan(3000);
    assertThat(Composition.of(SampleQueues.parallel(300, 40)).height()).isLessThan(3000);
    assertThat(Composition.of(SampleQueues.tangled(300, 3)).height()).isLessThan(3000);
    assertThat(Composition.of(SampleQueues.single(5000)).height()).isLessThan(3000);
  }

  @Test
  void bisection_and_those_who_are_not_ready_have_areas_of_their_own() {
    Scene scene = Composition.of(SampleQueues.batches(7));
    Map<String, Scene.Area> areas =
        scene.panels().stream().collect(Collectors.toMap(Panel::name, Panel::area));
    for (Box box : scene.boxes()) {
      String place =
          box.unit().look() == Look.NOT_READY
              ? "apart"
              : box.unit().run().filter(QueuePicture.Run::bisects).isPresent() ? "side" : "";
      areas.forEach((name, area) -> assertThat(inside(box, area)).isEqualTo(name.equals(place)));
    }
    assertThat(areas).containsOnlyKeys("side", "apart");
  }

  private static boolean inside(Box box, Scene.Area area) {
    return box.x() >= area.x()
        && box.x() + box.width() <= area.right()
        && box.y() >= area.y()
        && box.bottom() <= area.bottom();
  }

  @Test
  void lanes_that_have_nothing_to_do_with_each_other_are_apart() {
    QueuePicture queue = SampleQueues.parallel(30, 8);
    List<Lane> lanes = Lane.of(Lineup.of(queue).line(), true);
    long bands =
        Composition.of(queue).panels().stream().filter(p -> p.name().equals("band")).count();
    assertThat(lanes).hasSizeGreaterThan(2);
    assertThat(bands).isEqualTo(lanes.size());
    assertThat(lanes).extracting(Lane::label).doesNotContain("//lib").doesNotHaveDuplicates();
  }
}
