package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Run;
import dev.mainstay.server.web.graph.Scene.Area;
import dev.mainstay.server.web.graph.Scene.Edge;
import dev.mainstay.server.web.graph.Scene.Label;
import dev.mainstay.server.web.graph.Scene.Panel;
import dev.mainstay.server.web.graph.Scene.Point;
import dev.mainstay.server.web.svg.PlainText;
import dev.mainstay.server.web.svg.Svg;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Draws the picture of a queue as the text of an SVG. Each step is a box with the edges to what it
 * stands on, which {@code data-on} names, so that a script can light the way to the root by the
 * class {@code lit}.
 */
public final class QueueDrawing {
  private static final int CORNER = 7;

  private final Svg svg = new Svg();
  private final QueuePicture picture;
  private final Scene scene;

  private QueueDrawing(QueuePicture picture) {
    this.picture = picture;
    this.scene = Composition.of(picture);
  }

  public static String svg(QueuePicture picture) {
    return new QueueDrawing(picture).draw();
  }

  private String draw() {
    svg.open(
        "svg",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "class",
        "queue-graph",
        "id",
        "queue-graph",
        "role",
        "group",
        "aria-label",
        "The queue of " + PlainText.clean(picture.branch(), 100) + ": " + summary(),
        "width",
        scene.width(),
        "height",
        scene.height(),
        "viewBox",
        "0 0 " + scene.width() + " " + scene.height());
    root();
    scene.panels().forEach(this::panel);
    scene.labels().forEach(this::label);
    Map<String, List<Edge>> edges =
        scene.edges().stream().collect(Collectors.groupingBy(Edge::from));
    for (Box box : scene.boxes()) {
      step(box, edges.getOrDefault(box.unit().id(), List.of()));
    }
    return svg.close("svg").toString();
  }

  private String summary() {
    long open =
        picture.entries().stream().filter(e -> Look.of(e.state()) != Look.NOT_READY).count();
    return open == 1 ? "1 pull request" : open + " pull requests";
  }

  private void root() {
    Area area = scene.root();
    svg.open("g", "id", Scene.ROOT, "class", "root");
    svg.leaf(
        "rect",
        "x",
        area.x(),
        "y",
        area.y(),
        "width",
        area.width(),
        "height",
        area.height(),
        "rx",
        10);
    int middle = area.y() + area.height() / 2;
    String place = "translate(" + (area.x() + 22) + " " + middle + ")";
    svg.leaf(
        "path",
        "class",
        "icon",
        "transform",
        place,
        "d",
        "M-4 -3.5V3.5M-6 -5.5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M-6 5.5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M3 -5.5a2 2 0 1 0 4 0a2 2 0 1 0 -4 0M5 -3.5C5 1 -4 0 -4 3.5");
    text(picture.branch(), "branch", area.x() + 38, middle + 5, area.width() - 320, 15, "");
    long busy =
        picture.runs().stream()
            .filter(r -> !r.bisects() && r.status().equals("IN_PROGRESS"))
            .map(Run::id)
            .distinct()
            .count();
    String slots =
        summary()
            + " · "
            + busy
            + " of "
            + picture.slots()
            + (picture.slots() == 1 ? " slot" : " slots")
            + " busy";
    text(slots, "slots", area.right() - 16, middle + 4, 300, 12, "end");
    svg.close("g");
    if (scene.boxes().isEmpty()) {
      int x = area.x() + area.width() / 2;
      text("Nobody is in this queue.", "empty", x, area.bottom() + 44, area.width(), 14, "middle");
    }
  }

  private void panel(Panel panel) {
    Area area = panel.area();
    svg.open("g", "class", "panel " + panel.name());
    svg.leaf(
        "rect",
        "x",
        area.x(),
        "y",
        area.y(),
        "width",
        area.width(),
        "height",
        area.height(),
        "rx",
        12);
    if (!panel.title().isEmpty()) {
      text(panel.title(), "heading", area.x() + 16, area.y() + 24, area.width() - 32, 13, "");
    }
    svg.close("g");
  }

  private void label(Label label) {
    text(label.text(), "lane", label.x(), label.y(), label.room(), 11, "");
  }

  private void step(Box box, List<Edge> edges) {
    String id = box.unit().id();
    String on = edges.stream().map(Edge::to).collect(Collectors.joining(" "));
    svg.open("g", "class", "step", "id", "step-" + id, "data-on", on);
    for (Edge edge : edges) {
      svg.leaf("path", "class", "edge", "d", edge.bent() ? bent(edge.way()) : swung(edge.way()));
    }
    new BoxDrawing(svg, box, picture.href()).draw();
    svg.close("g");
  }

  /** In the gap between two rows: a curve, and a straight end along a box that is less high. */
  private static String swung(List<Point> way) {
    Point from = way.get(0);
    Point gap = way.get(1);
    Point to = way.get(2);
    int middle = (from.y() + gap.y()) / 2;
    return "M" + from.x() + " " + from.y() + "C" + from.x() + " " + middle + " " + gap.x() + " "
        + middle + " " + gap.x() + " " + gap.y() + "V" + to.y();
  }

  /** Around boxes: straight parts with round corners. */
  private static String bent(List<Point> way) {
    var d = new StringBuilder("M" + way.getFirst().x() + " " + way.getFirst().y());
    for (int i = 1; i + 1 < way.size(); i++) {
      Point at = way.get(i);
      Point in = towards(at, way.get(i - 1));
      Point out = towards(at, way.get(i + 1));
      d.append("L").append(in.x()).append(' ').append(in.y());
      d.append("Q").append(at.x()).append(' ').append(at.y()).append(' ');
      d.append(out.x()).append(' ').append(out.y());
    }
    return d.append("L").append(way.getLast().x()).append(' ').append(way.getLast().y()).toString();
  }

  private static Point towards(Point from, Point to) {
    int dx = Math.clamp((to.x() - from.x()) / 2, -CORNER, CORNER);
    int dy = Math.clamp((to.y() - from.y()) / 2, -CORNER, CORNER);
    return new Point(from.x() + dx, from.y() + dy);
  }

  private void text(String text, String style, int x, int y, int room, int size, String anchor) {
    String cut = PlainText.fit(text, room, size);
    svg.text("text", cut, "class", style, "x", x, "y", y, "font-size", size, "text-anchor", anchor);
  }
}
