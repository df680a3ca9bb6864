package dev.mainstay.core.health.text;

/**
 * The message of a failure without what differs from run to run. Messages of one key are one group.
 *
 * @param key what messages of the group have in common, at most {@link #LONGEST_KEY} characters
 * @param title the message itself on one line, at most {@link #LONGEST_TITLE} characters
 */
public record MessageShape(String key, String title) {
  public static final int LONGEST_TITLE = 200;
  public static final int LONGEST_KEY = 300;
  private static final int LONGEST_READ = 2_000;

  /** Reads the beginning of a message only; a failure without message is known by its type. */
  public static MessageShape of(String type, String message) {
    String line = said(type, message);
    return new MessageShape(BoundedText.head(Words.shape(line), LONGEST_KEY), title(line));
  }

  /** The title alone. */
  public static String title(String type, String message) {
    return title(said(type, message));
  }

  private static String said(String type, String message) {
    String line = line(message);
    return line.isEmpty() ? line(type) : line;
  }

  private static String line(String text) {
    return BoundedText.oneLine(BoundedText.head(text, LONGEST_READ));
  }

  private static String title(String line) {
    return line.length() <= LONGEST_TITLE ? line : BoundedText.head(line, LONGEST_TITLE - 1) + "…";
  }
}
