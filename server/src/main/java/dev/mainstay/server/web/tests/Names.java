package dev.mainstay.server.web.tests;

import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** Names from reports and CI, which may be of any length and hold anything. */
public final class Names {
  private static final int BRIEF = 200;
  private static final int SHORT = 60;
  private static final Pattern TICKET = Pattern.compile("[A-Za-z][A-Za-z0-9_]{0,63}-[0-9]{1,18}");

  private Names() {}

  /** As much of a text as a row of a table has room for. */
  public static String brief(String text) {
    return cut(text, BRIEF);
  }

  /** As much of a text as a title has room for. */
  public static String title(String text) {
    return cut(text, SHORT);
  }

  private static String cut(String text, int most) {
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most)) + "…";
  }

  /** An address that a browser may be led to: http and https only. */
  public static Optional<String> web(Optional<String> address) {
    return address.filter(a -> a.startsWith("https://") || a.startsWith("http://"));
  }

  /** The id in the address of a ticket, which ends most of them. */
  public static Optional<String> ticket(String address) {
    return TICKET.matcher(address).results().map(MatchResult::group).reduce((a, b) -> b);
  }
}
