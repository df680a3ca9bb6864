package dev.mainstay.server.web.graph;

import java.util.List;

/** The picture with everything at its place; what stands on nothing stands on the root. */
record Scene(
    int width,
    int height,
    Area root,
    List<Box> boxes,
    List<Edge> edges,
    List<Label> labels,
    List<Panel> panels) {
  static final String ROOT = "root";

  record Area(int x, int y, int width, int height) {
    int bottom() {
      return y + height;
    }

    int right() {
      return x + width;
    }
  }

  /** From the one that stands, below, to what it stands on; {@code path} is drawn upwards. */
  record Edge(String from, String to, List<Point> way, boolean bent) {
    Edge {
      way = List.copyOf(way);
    }
  }

  record Point(int x, int y) {}

  /** The name of a lane. */
  record Label(String text, int x, int y, int room) {}

  /** An area of its own: the side queue, or those who are not ready. */
  record Panel(String name, String title, Area area) {}
}
