package dev.mainstay.server.report;

/** The limits of an upload. Beyond one it is refused, or cut with a word about it. */
public final class Limits {
  /** All files of an upload together, unpacked. */
  public static final long UNPACKED_BYTES = 1L << 30;

  public static final int FILES = 20_000;
  public static final int RUNS = 2_000_000;
  public static final int CODEOWNERS_BYTES = 3 * 1024 * 1024;

  /** The rules and sections of a CODEOWNERS file; a file with more names nobody. */
  static final int OWNER_RULES = 20_000;

  /** A rule with a longer pattern is passed over, and a longer path has no owners. */
  static final int OWNER_PATTERN_LENGTH = 1000;

  static final int OWNER_PATH_LENGTH = 4000;

  /** Characters compared for the owners of one upload, about a second's worth. */
  static final long OWNER_STEPS = 500_000_000;

  public static final int META_BYTES = 8 * 1024 * 1024;

  /** The length of a name as it is kept; the id of a test is made of the whole name. */
  public static final int NAME_LENGTH = 1000;

  public static final int MESSAGE_LENGTH = 2000;
  public static final int STACK_LENGTH = 16_000;
  public static final int FILE_LABEL_LENGTH = 300;

  public static final int XML_DEPTH = 500;
  public static final int XML_ATTRIBUTES = 500;
  public static final int XML_ATTRIBUTE_LENGTH = 8 * 1024 * 1024;

  /** Characters without any blank, quote or bracket: no honest report has so many. */
  public static final int XML_TOKEN_LENGTH = 8 * 1024 * 1024;

  public static final int JSON_DEPTH = 500;

  /** A longer text is passed over where nobody asks for it, and breaks the file elsewhere. */
  public static final int JSON_TEXT_LENGTH = 8 * 1024 * 1024;

  public static final int LINE_BYTES = 4 * 1024 * 1024;

  private Limits() {}
}
