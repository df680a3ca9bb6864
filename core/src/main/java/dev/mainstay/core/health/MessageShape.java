package dev.mainstay.core.health;

/**
 * The message of a failure without what differs from run to run. Messages of one key are one group.
 *
 * @param key what messages of the group have in common
 * @param title the message itself on one line, at most {@link #LONGEST_TITLE} characters
 */
public record MessageShape(String key, String title) {
  public static final int LONGEST_TITLE = 200;
  public static final int LONGEST_KEY = 300;

  /** Reads the beginning of a message only; a failure without message is known by its type. */
  public static MessageShape of(String type, String message) {
    String text = message.isBlank() ? type : message;
    return new MessageShape(text, text);
  }
}
