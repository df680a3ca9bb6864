package dev.mainstay.server.web.graph;

import java.util.ArrayList;
import java.util.List;

/**
 * A lane laid out from its own left upper corner: rows from top to bottom, in blocks side by side
 * where it is long, as the columns of a newspaper are.
 */
record LaneShape(String label, List<Box> boxes, int width, int height) {
  private static final int GOOD_HEIGHT = 660;
  private static final int MOST_HEIGHT = 2000;
  private static final int LABEL_HEIGHT = 16;

  /** The widest rows with which the lane is not too high; else those that make it shortest. */
  static LaneShape of(Lane lane, Form form, int room) {
    List<List<Unit>> layers = Layers.of(lane.units());
    int widest = layers.stream().mapToInt(List::size).max().orElse(1);
    int most = Math.min(form.fitting(room), widest);
    LaneShape best = shape(lane, form, room, Layers.rows(layers, most));
    for (int fewer = most - 1; fewer > 0 && best.height > MOST_HEIGHT; fewer--) {
      LaneShape other = shape(lane, form, room, Layers.rows(layers, fewer));
      best = other.height < best.height ? other : best;
    }
    return best;
  }

  private static LaneShape shape(Lane lane, Form form, int room, List<List<Unit>> rows) {
    int widest = rows.stream().mapToInt(List::size).max().orElse(1);
    int blockWidth = form.across(widest);
    int blocks = Math.max(1, (room + form.gapX) / (blockWidth + form.gapX));
    List<Integer> heights =
        rows.stream()
            .map(row -> row.stream().mapToInt(form::height).max().orElse(0) + form.gapY)
            .toList();
    List<Integer> ends = ends(heights, blocks);
    int top = form.gapY + (lane.label().isEmpty() ? 0 : LABEL_HEIGHT);
    var boxes = new ArrayList<Box>();
    int row = 0;
    int deepest = 0;
    for (int block = 0; block < ends.size(); block++) {
      int x = block * (blockWidth + form.gapX);
      int y = top;
      for (int index = 0; row < ends.get(block); row++, index++) {
        int bottom = y + heights.get(row) - form.gapY;
        var place =
            new Box.Row(
                block,
                index,
                y,
                bottom,
                x - form.gapX / 3,
                x + blockWidth + form.gapX / 3,
                form.gapY / 2);
        int at = x + (blockWidth - form.across(rows.get(row).size())) / 2;
        for (Unit unit : rows.get(row)) {
          boxes.add(new Box(unit, form, at, y, form.height(unit), place));
          at += form.width + form.gapX;
        }
        y = bottom + form.gapY;
      }
      deepest = Math.max(deepest, y);
    }
    int width = ends.size() * (blockWidth + form.gapX) - form.gapX;
    return new LaneShape(lane.label(), boxes, width, deepest);
  }

  /** The row after the last one of each block: as few and as equal blocks as are good. */
  private static List<Integer> ends(List<Integer> heights, int most) {
    int total = heights.stream().mapToInt(Integer::intValue).sum();
    int wanted = Math.clamp(Math.ceilDiv(total, GOOD_HEIGHT), 1, most);
    int limit = Math.ceilDiv(total, wanted);
    List<Integer> ends = filled(heights, limit);
    while (ends.size() > wanted) {
      limit += 4;
      ends = filled(heights, limit);
    }
    return ends;
  }

  private static List<Integer> filled(List<Integer> heights, int limit) {
    var ends = new ArrayList<Integer>();
    int used = 0;
    for (int i = 0; i < heights.size(); i++) {
      if (used > 0 && used + heights.get(i) > limit) {
        ends.add(i);
        used = 0;
      }
      used += heights.get(i);
    }
    ends.add(heights.size());
    return ends;
  }
}
