package dev.mainstay.server.report;

/**
 * Texts one behind the other, of which a report may have any number: what is too long is cut. What
 * was joined the time before is not made again.
 */
public final class JoinedText {
  private static final int MOST = 100_000;

  private final String separator;
  private final StringBuilder text = new StringBuilder();
  private String recent = "";

  public JoinedText(String separator) {
    this.separator = separator;
  }

  public void add(String more) {
    if (text.length() < MOST) {
      text.append(text.isEmpty() ? "" : separator).append(more);
    }
  }

  public boolean isEmpty() {
    return text.isEmpty();
  }

  /** What was added since the last time. */
  public String take() {
    recent = recent.contentEquals(text) ? recent : text.toString();
    text.setLength(0);
    return recent;
  }
}
