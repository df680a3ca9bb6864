package dev.mainstay.server.report;

import dev.mainstay.core.health.text.BoundedText;

/** Collects text of any length and keeps its beginning and its end. */
public final class TextCapture {
  /** How many times as long as its limit the text is at most, while it is collected. */
  public static final int ROOM = 8;

  private final int limit;
  private final StringBuilder text = new StringBuilder(128);

  public TextCapture(int limit) {
    this.limit = limit;
  }

  public void append(char[] chars, int start, int length) {
    int from = start;
    int left = length;
    // A piece longer than everything that is kept matters only by its two ends.
    if (left > 4 * limit) {
      text.append(chars, from, 2 * limit);
      from += left - 2 * limit;
      left = 2 * limit;
    }
    text.append(chars, from, left);
    shorten();
  }

  public void append(String piece) {
    text.append(BoundedText.middleCut(piece, 4 * limit));
    shorten();
  }

  public String take() {
    String taken = BoundedText.middleCut(text.toString().strip(), limit);
    text.setLength(0);
    return taken;
  }

  /** The same of characters that nobody looked at. */
  public String takeCleaned() {
    return Texts.clean(Texts.uncoloured(take()));
  }

  public void clear() {
    text.setLength(0);
  }

  private void shorten() {
    if (text.length() > ROOM * limit) {
      text.delete(limit, text.length() - limit);
    }
  }
}
