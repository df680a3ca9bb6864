package dev.mainstay.server.report;

/**
 * Room for the texts that a reader holds until they are wanted: so many characters, however long
 * the names in a report are and however many there are.
 */
public final class Room {
  private static final long CHARACTERS = 32L * 1024 * 1024;

  private long left = CHARACTERS;

  /** Takes room for so many characters; false where there is not enough, and then takes none. */
  public boolean take(long characters) {
    if (characters > left) {
      return false;
    }
    left -= characters;
    return true;
  }

  /** Gives back what was taken. */
  public void give(long characters) {
    left += characters;
  }
}
