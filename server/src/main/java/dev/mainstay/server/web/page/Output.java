package dev.mainstay.server.web.page;

import java.util.regex.Pattern;

/** What a program wrote to a terminal, as it reads without one. */
public final class Output {
  /** Colours and moves of the cursor, titles of windows, and short commands. */
  private static final Pattern COMMANDS =
      Pattern.compile(
          "\u001B(?:\\[[0-?]*+[ -/]*+[@-~]?|\\][^\u0007\u001B\n]*+(?:\u0007|\u001B\\\\)?|[ -/]*+[0-Z\\\\^-~])?");

  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{Cc}&&[^\r\n\t]]");

  private Output() {}

  /** Without commands to the terminal; other characters that nothing shows have a sign. */
  public static String readable(String written) {
    String text = COMMANDS.matcher(written).replaceAll("");
    return UNPRINTABLE.matcher(text).replaceAll("\uFFFD");
  }
}
