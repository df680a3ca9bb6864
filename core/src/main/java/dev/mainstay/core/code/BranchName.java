package dev.mainstay.core.code;

import java.util.Locale;

/** Which texts git takes as the name of a branch, and no command line takes as an option. */
public final class BranchName {
  public static final int MAX_LENGTH = 255;

  private static final String FORBIDDEN = " ~^:?*[\\";

  private BranchName() {}

  public static boolean isValid(String text) {
    if (text.isEmpty() || text.length() > MAX_LENGTH || text.equals("@") || text.equals("HEAD")) {
      return false;
    }
    if (text.startsWith("-") || text.endsWith(".") || text.contains("..") || text.contains("@{")) {
      return false;
    }
    return text.codePoints().noneMatch(BranchName::isForbidden) && segmentsAreValid(text);
  }

  private static boolean isForbidden(int character) {
    return Character.isISOControl(character)
        || FORBIDDEN.indexOf(character) >= 0
        || Character.getType(character) == Character.SURROGATE;
  }

  private static boolean segmentsAreValid(String text) {
    for (String segment : text.split("/", -1)) {
      if (segment.isEmpty()
          || segment.startsWith(".")
          || segment.toLowerCase(Locale.ROOT).endsWith(".lock")) {
        return false;
      }
    }
    return true;
  }
}
