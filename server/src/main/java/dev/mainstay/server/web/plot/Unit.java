package dev.mainstay.server.web.plot;

import java.util.Locale;

/** What numbers count, and how they are written. */
public enum Unit {
  COUNT,
  SECONDS,
  /** From 0 to 1, written in percent. */
  SHARE;

  /** Beyond this nothing can be told apart in a picture. */
  static final double MOST = 1e15;

  /** A number that can be drawn: none is below 0, too large, or not a number. */
  static double safe(double value) {
    return Double.isNaN(value) ? 0 : Math.clamp(value, 0, MOST);
  }

  public String write(double value) {
    double safe = safe(value);
    return switch (this) {
      case COUNT -> count(safe);
      case SECONDS -> seconds(safe);
      case SHARE -> brief(safe * 100) + " %";
    };
  }

  private static String count(double value) {
    if (value < 10_000) {
      return brief(value);
    }
    String[] names = {"k", "M", "G", "T"};
    double left = value / 1000;
    int i = 0;
    while (left >= 1000 && i + 1 < names.length) {
      left /= 1000;
      i++;
    }
    return brief(left) + names[i];
  }

  private static String seconds(double value) {
    if (value < 90) {
      return brief(value) + " s";
    }
    if (value < 60 * 60) {
      return brief(value / 60) + " min";
    }
    return value < 48 * 3600 ? brief(value / 3600) + " h" : count(value / 86_400) + " d";
  }

  /** At most three digits that say something. */
  private static String brief(double value) {
    int digits = value >= 100 || value == Math.rint(value) ? 0 : value >= 10 ? 1 : 2;
    String text = String.format(Locale.ROOT, "%." + digits + "f", value);
    return text.contains(".") ? text.replaceAll("\\.?0+$", "") : text;
  }
}
