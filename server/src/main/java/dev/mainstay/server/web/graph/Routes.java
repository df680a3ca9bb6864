package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.Scene.Edge;
import dev.mainstay.server.web.graph.Scene.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * The ways of edges. To the next row above they bend in the gap between the rows; further they go
 * by the free ways around rows and blocks, so that none crosses a box.
 */
final class Routes {
  private Routes() {}

  static Edge between(Box child, Box parent) {
    Box.Row low = child.row();
    Box.Row high = parent.row();
    var start = new Point(child.middle(), child.y());
    var end = new Point(parent.middle(), parent.bottom());
    if (low.block() == high.block() && low.index() == high.index() + 1) {
      List<Point> way = List.of(start, at(end.x(), high.bottom()), end);
      return new Edge(child.unit().id(), parent.unit().id(), way, false);
    }
    int leave = low.top() - child.form().gapY / 2;
    int arrive = high.bottom() + child.form().gapY / 2;
    var way = new ArrayList<>(List.of(start, at(start.x(), leave)));
    if (low.block() == high.block()) {
      boolean left = start.x() + end.x() <= low.left() + low.right();
      int x = left ? low.left() : low.right();
      way.addAll(List.of(at(x, leave), at(x, arrive)));
    } else if (low.block() == high.block() + 1) {
      way.addAll(List.of(at(low.left(), leave), at(low.left(), arrive)));
    } else {
      way.addAll(List.of(at(low.left(), leave), at(low.left(), low.strip())));
      way.addAll(List.of(at(high.right(), low.strip()), at(high.right(), arrive)));
    }
    way.addAll(List.of(at(end.x(), arrive), end));
    return new Edge(child.unit().id(), parent.unit().id(), way, true);
  }

  /** Up to the free way above the lane, and from there on the way that is given. */
  static Edge toRoot(Box child, List<Point> onwards) {
    Box.Row row = child.row();
    var way = new ArrayList<>(List.of(at(child.middle(), child.y())));
    int x = child.middle();
    if (row.index() > 0) {
      int leave = row.top() - child.form().gapY / 2;
      way.addAll(List.of(at(x, leave), at(row.left(), leave)));
      x = row.left();
    }
    if (onwards.size() == 1) {
      way.add(at(x, onwards.getFirst().y()));
    } else {
      way.add(at(x, row.strip()));
      way.addAll(onwards);
    }
    return new Edge(child.unit().id(), Scene.ROOT, way, true);
  }

  private static Point at(int x, int y) {
    return new Point(x, y);
  }
}
