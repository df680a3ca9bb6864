package dev.mainstay.server.report;

/** Something that was not read, and why. Line 0 is the file as a whole. */
public record Skipped(String file, int line, String reason, Kind kind) {
  /** The weight of what was not read. */
  public enum Kind {
    /** Results may be missing that the sender meant to send: no verdict can lean on the rest. */
    UNREADABLE,

    /** The file is plainly no test report, as many that lie beside reports. */
    IGNORED,

    /** The results are known, and not kept. */
    NOT_KEPT
  }

  public static Skipped unreadable(String file, int line, String reason) {
    return new Skipped(file, line, reason, Kind.UNREADABLE);
  }

  public static Skipped ignored(String file, String reason) {
    return new Skipped(file, 0, reason, Kind.IGNORED);
  }
}
