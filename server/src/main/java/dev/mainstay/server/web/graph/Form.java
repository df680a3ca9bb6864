package dev.mainstay.server.web.graph;

/** How much of a unit its box shows, and the room that leaves around it. */
enum Form {
  /** Number, title, author and state, with room for long titles. */
  LARGE(332, 44, 28),
  /** The same with less room. */
  CARD(240, 40, 26),
  /** Number and state. */
  CHIP(134, 24, 12),
  /** Number and title, on one quiet line. */
  QUIET(214, 10, 2);

  private static final int CARD_HEIGHT = 82;
  private static final int FLAT_HEIGHT = 28;
  private static final int QUIET_HEIGHT = 28;
  static final int CARD_HEAD = 36;
  static final int CARD_LINE = 20;
  static final int MOST_LINES = 4;

  final int width;
  final int gapX;
  final int gapY;

  Form(int width, int gapX, int gapY) {
    this.width = width;
    this.gapX = gapX;
    this.gapY = gapY;
  }

  boolean isCard() {
    return this == LARGE || this == CARD;
  }

  int height(Unit unit) {
    return switch (unit.kind()) {
      case FOLD -> FLAT_HEIGHT;
      case BATCH -> isCard() ? CARD_HEAD + lines(unit) * CARD_LINE + 14 : FLAT_HEIGHT + 19;
      case PULL_REQUEST ->
          switch (this) {
            case LARGE, CARD -> CARD_HEIGHT;
            case CHIP -> unit.waits() ? FLAT_HEIGHT : FLAT_HEIGHT + 19;
            case QUIET -> QUIET_HEIGHT;
          };
    };
  }

  /** The lines of a batch's card: its members, or some of them and how many more there are. */
  static int lines(Unit unit) {
    return Math.min(unit.members().size(), MOST_LINES);
  }

  /** The room between two lanes, which is more than that between two boxes. */
  int laneGap() {
    return gapX + (isCard() ? 12 : 8);
  }

  /** The width of so many boxes side by side. */
  int across(int boxes) {
    return boxes * (width + gapX) - gapX;
  }

  /** The number of boxes that fit side by side. */
  int fitting(int room) {
    return Math.max(1, (room + gapX) / (width + gapX));
  }
}
