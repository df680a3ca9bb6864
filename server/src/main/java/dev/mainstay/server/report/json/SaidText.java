package dev.mainstay.server.report.json;

import dev.mainstay.server.report.Room;
import dev.mainstay.server.report.TextCapture;
import java.util.Arrays;

/**
 * What a test says, in pieces: as long as it is short, the bytes that it has in the document. Most
 * tests pass, and nobody asks what they said. Where there is no room, more is not heard.
 */
final class SaidText {
  private static final int MOST_RAW = 4_000;
  private static final int FIRST_ROOM = 250;

  private final Room room;
  private final TextCapture text;
  private final int mostHeld;
  private byte[] raw = new byte[FIRST_ROOM];
  private int length;
  private int held;

  SaidText(int limit, Room room) {
    this.room = room;
    text = new TextCapture(limit);
    mostHeld = MOST_RAW + TextCapture.ROOM * limit;
  }

  void append(byte[] bytes, int count) {
    if (!fits(count)) {
      return;
    }
    if (length + count > MOST_RAW) {
      makeText();
    }
    if (count > MOST_RAW) {
      text.append(JsonParsers.text(bytes, 0, count));
      return;
    }
    if (length + count > raw.length) {
      raw = Arrays.copyOf(raw, Math.min(MOST_RAW, 2 * (length + count)));
    }
    System.arraycopy(bytes, 0, raw, length, count);
    length += count;
  }

  void append(String piece) {
    if (fits(piece.length())) {
      makeText();
      text.append(piece);
    }
  }

  private boolean fits(int count) {
    int more = Math.min(count, mostHeld - held);
    boolean fits = room.take(more);
    held += fits ? more : 0;
    return fits;
  }

  private void makeText() {
    if (length > 0) {
      text.append(JsonParsers.text(raw, 0, length));
      length = 0;
    }
  }

  /** All that was said since the last time, cut in the middle where it is long. */
  String take() {
    makeText();
    String taken = text.takeCleaned();
    clear();
    return taken;
  }

  void clear() {
    room.give(held);
    held = 0;
    length = 0;
    text.clear();
  }
}
