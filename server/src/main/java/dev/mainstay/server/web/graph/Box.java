package dev.mainstay.server.web.graph;

/** A unit at its place. */
record Box(Unit unit, Form form, int x, int y, int height, Row row) {
  /**
   * The row a box is in: its block, its place there, its edges, the free ways left and right of the
   * block, and the free way above all blocks of the lane.
   */
  record Row(int block, int index, int top, int bottom, int left, int right, int strip) {
    Row moved(int dx, int dy) {
      return new Row(block, index, top + dy, bottom + dy, left + dx, right + dx, strip + dy);
    }
  }

  Box moved(int dx, int dy) {
    return new Box(unit, form, x + dx, y + dy, height, row.moved(dx, dy));
  }

  int width() {
    return form.width;
  }

  int middle() {
    return x + form.width / 2;
  }

  int bottom() {
    return y + height;
  }
}
