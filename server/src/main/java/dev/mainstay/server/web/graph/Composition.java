package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.Scene.Area;
import dev.mainstay.server.web.graph.Scene.Edge;
import dev.mainstay.server.web.graph.Scene.Label;
import dev.mainstay.server.web.graph.Scene.Panel;
import dev.mainstay.server.web.graph.Scene.Point;
import dev.mainstay.server.web.graph.Shelf.Hung;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts a picture together: the target branch on top, lanes hanging from it on shelves, bisection
 * beside them, and those who are not ready at the bottom.
 */
final class Composition {
  static final int WIDEST = 1200;
  private static final int MARGIN = 34;
  private static final int EDGE = 4;
  private static final int RAIL = 14;
  private static final int TOP = 8;
  private static final int NARROWEST = 520;
  private static final int ROOT_HEIGHT = 40;
  private static final int MOST_LARGE = 9;
  private static final int MOST_CARDS = 36;
  private static final int MOST_SIDE_CARDS = 8;
  private static final int MOST_SIDE = 40;
  private static final int MOST_QUIET = 60;
  private static final int PAD = 16;
  private static final int GAP = 20;
  private static final int PANEL_HEAD = 38;

  private final List<Box> boxes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();
  private final List<Label> labels = new ArrayList<>();
  private final List<Panel> panels = new ArrayList<>();

  private Composition() {}

  static Scene of(QueuePicture picture) {
    return new Composition().compose(Lineup.of(picture), picture);
  }

  private Scene compose(Lineup lineup, QueuePicture picture) {
    int sideRoom = lineup.side().isEmpty() ? 0 : Form.CARD.width + 2 * PAD + GAP;
    Form form = form(lineup.line().size());
    int room = WIDEST - 2 * MARGIN - sideRoom;
    List<LaneShape> lanes =
        Lane.of(lineup.line(), picture.parallel()).stream()
            .map(lane -> LaneShape.of(lane, form, room))
            .toList();
    List<Shelf> shelves = Shelf.of(lanes, room, form.laneGap());
    int widest = shelves.stream().mapToInt(Shelf::width).max().orElse(0);
    int inner = Math.max(widest, NARROWEST);
    var root = new Area(EDGE, TOP, inner + 2 * (MARGIN - EDGE), ROOT_HEIGHT);
    int bottom = hang(shelves, form, root);
    int right = root.right() + EDGE;
    if (!lineup.side().isEmpty()) {
      bottom = Math.max(bottom, side(lineup.side(), root.right() + GAP));
      right += sideRoom;
    }
    if (!lineup.apart().isEmpty()) {
      bottom = apart(lineup.apart(), bottom + GAP, right - 2 * EDGE);
    }
    return new Scene(right, bottom + EDGE, root, boxes, edges, labels, panels);
  }

  private static Form form(int units) {
    return units <= MOST_LARGE ? Form.LARGE : units <= MOST_CARDS ? Form.CARD : Form.CHIP;
  }

  /** Hangs the shelves below the root, and answers where they end. */
  private int hang(List<Shelf> shelves, Form form, Area root) {
    int top = root.bottom();
    boolean banded = shelves.stream().mapToInt(shelf -> shelf.hung().size()).sum() > 1;
    for (Shelf shelf : shelves) {
      int spare = root.width() - 2 * (MARGIN - EDGE) - shelf.width();
      int left = MARGIN + (shelves.size() == 1 ? spare / 2 : 0);
      for (Hung hung : shelf.hung()) {
        boolean first = shelf == shelves.getFirst();
        place(hung.lane(), left + hung.x(), top + hung.y(), onwards(hung, first, left, top, root));
        if (banded) {
          band(hung.lane(), form, left + hung.x(), top + hung.y());
        }
      }
      top += shelf.height();
    }
    return shelves.isEmpty() ? root.bottom() + 56 : top - form.gapY / 2;
  }

  /** The way from above a lane to the root: straight up, or around the lanes and shelves above. */
  private static List<Point> onwards(Hung hung, boolean first, int left, int top, Area root) {
    Box box = hung.lane().boxes().getFirst();
    int outer = left + hung.x() - box.form().laneGap() / 2;
    int strip = box.row().strip();
    var way = new ArrayList<Point>();
    if (hung.y() > 0) {
      way.add(new Point(outer, top + hung.y() + strip));
      way.add(new Point(outer, first ? root.bottom() : top + strip));
    }
    if (!first) {
      way.add(new Point(RAIL, top + strip));
    }
    if (!first || way.isEmpty()) {
      way.add(new Point(RAIL, root.bottom()));
    }
    return way;
  }

  private void band(LaneShape lane, Form form, int x, int y) {
    int pad = form.gapX / 3 + 4;
    int top = y + form.gapY / 2 - 5;
    int height = lane.height() - form.gapY + 9;
    panels.add(new Panel("band", "", new Area(x - pad, top, lane.width() + 2 * pad, height)));
    if (!lane.label().isEmpty()) {
      int first = y + lane.boxes().getFirst().row().top();
      labels.add(new Label(lane.label(), x + 2, first - 7, form.width / 2 - 10));
    }
  }

  /** Without a way to the root, what stands on nothing has no edge. */
  private void place(LaneShape lane, int x, int y, List<Point> onwards) {
    Map<String, Box> placed = new LinkedHashMap<>();
    lane.boxes().forEach(box -> placed.put(box.unit().id(), box.moved(x, y)));
    boxes.addAll(placed.values());
    for (Box box : placed.values()) {
      for (String on : box.unit().on()) {
        Optional.ofNullable(placed.get(on)).ifPresent(p -> edges.add(Routes.between(box, p)));
      }
      if (box.unit().on().isEmpty() && !onwards.isEmpty()) {
        edges.add(Routes.toRoot(box, onwards));
      }
    }
  }

  private int side(List<Unit> all, int x) {
    List<Unit> units = Unit.shortened(all, MOST_SIDE, "fold-side");
    Form form = units.size() <= MOST_SIDE_CARDS ? Form.CARD : Form.CHIP;
    LaneShape lane = LaneShape.of(new Lane("", units), form, form.width);
    int width = Form.CARD.width + 2 * PAD;
    int top = TOP + PANEL_HEAD - form.gapY;
    int height = PANEL_HEAD + lane.height() - 2 * form.gapY + PAD;
    String title = "Bisection · " + all.size() + (all.size() == 1 ? " part" : " parts");
    panels.add(new Panel("side", title, new Area(x, TOP, width, height)));
    place(lane, x + (width - form.width) / 2, top, List.of());
    return TOP + height;
  }

  private int apart(List<Entry> entries, int y, int width) {
    Form form = Form.QUIET;
    List<Unit> units =
        Unit.shortened(entries.stream().map(Unit::alone).toList(), MOST_QUIET, "fold-apart");
    int columns = form.fitting(width - 2 * PAD);
    int start = EDGE + PAD - 8;
    int step = form.height(units.getFirst()) + form.gapY;
    for (int i = 0; i < units.size(); i++) {
      int x = start + i % columns * (form.width + form.gapX);
      int top = y + PANEL_HEAD + i / columns * step;
      var row = new Box.Row(0, i / columns, top, top, x, x, top);
      boxes.add(new Box(units.get(i), form, x, top, form.height(units.get(i)), row));
    }
    int height = PANEL_HEAD + Math.ceilDiv(units.size(), columns) * step - form.gapY + PAD;
    String title = "Not ready · " + entries.size();
    panels.add(new Panel("apart", title, new Area(EDGE, y, width, height)));
    return y + height;
  }
}
