package dev.mainstay.server.web.graph;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Lanes side by side, with short ones below each other where there is room for them. */
final class Shelf {
  private static final int MOST_HEIGHT = 2400;

  /** A lane at its place from the shelf's left upper corner. */
  record Hung(LaneShape lane, int x, int y) {}

  private static final class Column {
    private final int x;
    private final int width;
    private int depth;

    Column(int x, LaneShape first) {
      this.x = x;
      this.width = first.width();
      this.depth = first.height();
    }
  }

  private final int gap;
  private final List<Column> columns = new ArrayList<>();
  private final List<Hung> hung = new ArrayList<>();

  private Shelf(int gap) {
    this.gap = gap;
  }

  /** In the order of the queue; the highest come first where that order takes too much room. */
  static List<Shelf> of(List<LaneShape> lanes, int room, int gap) {
    List<Shelf> shelves = inOrder(lanes, room, gap);
    if (shelves.stream().mapToInt(Shelf::height).sum() <= MOST_HEIGHT) {
      return shelves;
    }
    Comparator<LaneShape> byHeight = Comparator.comparingInt(LaneShape::height);
    return inOrder(lanes.stream().sorted(byHeight.reversed()).toList(), room, gap);
  }

  /** Each lane goes where there is room first. */
  private static List<Shelf> inOrder(List<LaneShape> lanes, int room, int gap) {
    var shelves = new ArrayList<Shelf>();
    for (LaneShape lane : lanes) {
      boolean hangs =
          shelves.stream()
              .anyMatch(
                  s ->
                      s.hangBelow(lane)
                          || ((s == shelves.getLast() || lane.height() <= s.height())
                              && s.hangBeside(lane, room)));
      if (!hangs) {
        var shelf = new Shelf(gap);
        shelf.hangBeside(lane, Integer.MAX_VALUE);
        shelves.add(shelf);
      }
    }
    return shelves;
  }

  private boolean hangBelow(LaneShape lane) {
    int height = height();
    Optional<Column> fits =
        columns.stream()
            .filter(c -> lane.width() <= c.width && c.depth + lane.height() <= height)
            .findFirst();
    fits.ifPresent(
        column -> {
          hung.add(new Hung(lane, column.x, column.depth));
          column.depth += lane.height();
        });
    return fits.isPresent();
  }

  private boolean hangBeside(LaneShape lane, int room) {
    int x = columns.isEmpty() ? 0 : width() + gap;
    boolean fits = room - x >= lane.width();
    if (fits) {
      columns.add(new Column(x, lane));
      hung.add(new Hung(lane, x, 0));
    }
    return fits;
  }

  List<Hung> hung() {
    return hung;
  }

  int width() {
    return columns.getLast().x + columns.getLast().width;
  }

  int height() {
    return columns.stream().mapToInt(c -> c.depth).max().orElse(0);
  }
}
