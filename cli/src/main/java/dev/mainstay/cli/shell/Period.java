package dev.mainstay.cli.shell;

import java.time.Duration;
import java.util.regex.Pattern;

/** A period as people write it: 30s, 45m, 12h, 90d. */
public final class Period {
  private static final Pattern FORM = Pattern.compile("(\\d{1,5})([smhd])");

  private Period() {}

  public static Duration parse(String text) {
    var matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new WrongCall(
          "A period is a number and s, m, h or d, such as 90d: %s is not.".formatted(text));
    }
    long number = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(number);
      case "m" -> Duration.ofMinutes(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofDays(number);
    };
  }
}
