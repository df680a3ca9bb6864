package dev.mainstay.server.web.graph;

import dev.mainstay.server.web.graph.QueuePicture.Entry;
import dev.mainstay.server.web.graph.QueuePicture.Run;
import dev.mainstay.server.web.svg.PlainText;
import dev.mainstay.server.web.svg.Svg;
import java.util.List;
import java.util.Locale;

/** Draws one box: a frame, the shape and the words of its state, and as much more as it shows. */
final class BoxDrawing {
  private static final int SMALL = 11;
  private static final int PLAIN = 12;

  private final Svg svg;
  private final Box box;
  private final Unit unit;
  private final String all;

  BoxDrawing(Svg svg, Box box, String all) {
    this.svg = svg;
    this.box = box;
    this.unit = box.unit();
    this.all = all;
  }

  void draw() {
    String style =
        "node " + (box.form().isCard() ? Form.CARD : box.form()).name().toLowerCase(Locale.ROOT);
    svg.open(
        "g",
        "id",
        unit.id(),
        "class",
        style + (unit.kind() == Unit.Kind.FOLD ? " is-fold" : " " + unit.look().style()),
        "transform",
        "translate(" + box.x() + " " + box.y() + ")");
    svg.open("a", "href", href(), "aria-label", Words.label(unit));
    svg.text("title", Words.hover(unit));
    svg.leaf(
        "rect", "class", "frame", "width", box.width(), "height", box.height(), "rx", radius());
    if (unit.kind() == Unit.Kind.FOLD) {
      fold();
    } else if (box.form().isCard()) {
      cardHead();
    } else {
      line();
    }
    progress();
    svg.close("a");
    if (unit.kind() == Unit.Kind.BATCH) {
      members();
    }
    svg.close("g");
  }

  private String href() {
    return switch (unit.kind()) {
      case PULL_REQUEST -> unit.first().href();
      case BATCH -> unit.run().map(Run::href).orElse(unit.first().href());
      case FOLD -> all;
    };
  }

  private int radius() {
    return box.form().isCard() ? 10 : 7;
  }

  private void fold() {
    String count = unit.members().size() + (box.form() == Form.QUIET ? " more" : " waiting");
    int middle = box.width() / 2;
    boolean wide = box.form() != Form.CHIP;
    String text = wide ? Words.head(unit) + ", " + count : "+" + count;
    text(text, "brief", middle, 18, box.width() - 16, PLAIN, "middle");
  }

  private void icon(int x, int y) {
    String place = "translate(" + x + " " + y + ")";
    svg.leaf("path", "class", "icon", "d", unit.look().shape, "transform", place);
  }

  private void cardHead() {
    icon(22, 21);
    int room = box.width();
    text(Words.head(unit), "number", 38, 26, room / 2 - 20, 14, "");
    text(Words.state(unit), "state", room - 14, 25, room / 2, PLAIN, "end");
    if (unit.kind() == Unit.Kind.PULL_REQUEST) {
      Entry entry = unit.first();
      text(entry.title(), "title", 14, 46, room - 28, 13, "");
      String priority = Words.priority(entry);
      int right = priority.isEmpty() ? 0 : 72;
      text(entry.author(), "author", 14, 64, room - 36 - right, SMALL, "");
      text(priority, "priority", room - 14, 64, right, SMALL, "end");
    }
  }

  private void line() {
    icon(15, 14);
    int room = box.width();
    String head =
        unit.kind() == Unit.Kind.BATCH ? "Batch · " + unit.members().size() : Words.head(unit);
    text(head, "number", 27, 18, 78, PLAIN, "");
    if (box.form() == Form.QUIET) {
      int start = 38 + (int) PlainText.width(head, PLAIN);
      text(unit.first().title(), "title", start, 18, room - start - 10, PLAIN, "");
    } else {
      text(Words.brief(unit), "state", room - 10, 18, 60, SMALL, "end");
      if (unit.kind() == Unit.Kind.PULL_REQUEST && !unit.waits()) {
        text(unit.first().title(), "title", 10, 35, room - 20, SMALL, "");
      }
    }
  }

  private void progress() {
    if (unit.showsProgress()) {
      Run run = unit.run().orElseThrow();
      boolean card = box.form().isCard();
      int inset = card ? 14 : 10;
      int length = box.width() - 2 * inset;
      int y = box.height() - (card ? 9 : 7);
      int done = (int) ((long) length * run.checksDone() / run.checksTotal());
      svg.leaf("rect", "class", "track", "x", inset, "y", y, "width", length, "height", 3, "rx", 1);
      svg.leaf("rect", "class", "done", "x", inset, "y", y, "width", done, "height", 3, "rx", 1);
    }
  }

  /** The members of a batch, each a link of its own; the last line says how many more there are. */
  private void members() {
    List<Entry> members = unit.members();
    if (box.form().isCard()) {
      int lines = Form.lines(unit);
      int shown = members.size() > lines ? lines - 1 : lines;
      for (int i = 0; i < shown; i++) {
        member(members.get(i), i);
      }
      if (shown < members.size()) {
        int y = Form.CARD_HEAD + shown * Form.CARD_LINE + 13;
        text("+" + (members.size() - shown) + " more", "author", 22, y, 100, PLAIN, "");
      }
    } else {
      String numbers = "";
      int i = 0;
      int room = box.width() - 20;
      while (i < members.size()
          && PlainText.width(numbers + "#" + members.get(i).number() + " +999", SMALL) < room) {
        numbers += "#" + members.get(i++).number() + " ";
      }
      String rest = i < members.size() ? "+" + (members.size() - i) : "";
      text(numbers + rest, "author", 10, 35, room, SMALL, "");
    }
  }

  private void member(Entry entry, int line) {
    int y = Form.CARD_HEAD + line * Form.CARD_LINE;
    String id = Unit.idOf(entry.number());
    String name = "#" + entry.number();
    svg.open("a", "id", id, "class", "member", "href", entry.href());
    svg.text("title", name + " " + entry.title());
    svg.leaf(
        "rect",
        "class",
        "line",
        "x",
        8,
        "y",
        y - 2,
        "width",
        box.width() - 16,
        "height",
        Form.CARD_LINE,
        "rx",
        4);
    int start = 30 + (int) PlainText.width(name, PLAIN);
    text(name, "number", 22, y + 13, 90, PLAIN, "");
    text(entry.title(), "title", start, y + 13, box.width() - start - 14, PLAIN, "");
    svg.close("a");
  }

  private void text(String text, String style, int x, int y, int room, int size, String anchor) {
    if (!text.isBlank()) {
      String cut = PlainText.fit(text, room, size);
      svg.text(
          "text", cut, "class", style, "x", x, "y", y, "font-size", size, "text-anchor", anchor);
    }
  }
}
