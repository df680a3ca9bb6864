package dev.mainstay.bench;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;

/** Large reports of each kind that is read, in the shape in which their tools write them. */
final class ReaderSamples {
  private static final int CASES_OF_A_GROUP = 25;
  private static final int ONE_FAILS_OF = 20;

  private ReaderSamples() {}

  /** How the bytes of a sample are parsed without any reader: the limit of its reader. */
  enum Syntax {
    XML("elements by the same XML parser"),
    JSON("tokens by the same JSON parser"),
    JSON_LINES("tokens by the same JSON parser, over all lines at once"),
    TEXT("lines as text");

    final String bare;

    Syntax(String bare) {
      this.bare = bare;
    }
  }

  /**
   * A kind of report: groups of cases. In all parts {@code %d} is the number of a case, {@code %g}
   * that of its group, {@code %x} eight digits of an id, {@code %t} a time of the day and {@code
   * %m} the same in milliseconds since 1970.
   *
   * @param separated what stands between cases, and between groups
   * @param alone true where each case is a file of its own
   */
  record Sample(
      String name,
      Syntax syntax,
      String head,
      String opens,
      String pass,
      String fail,
      String closes,
      String tail,
      String separated,
      boolean alone) {

    Sample(String name, Syntax syntax, String... parts) {
      this(
          name,
          syntax,
          parts[0],
          parts[1],
          parts[2],
          parts[3],
          parts[4],
          parts[5],
          syntax == Syntax.JSON ? "," : "",
          false);
    }

    Sample eachAlone() {
      return new Sample(name, syntax, head, opens, pass, fail, closes, tail, separated, true);
    }

    /** A part of the report: case {@code number} of so many, with what stands around it. */
    String part(int number, int cases) {
      int inGroup = number % CASES_OF_A_GROUP;
      var text = new StringBuilder();
      if (alone || number == 0) {
        text.append(head);
      }
      if (alone || inGroup == 0) {
        text.append(alone || number == 0 ? "" : separated).append(opens);
      }
      text.append(alone || inGroup == 0 ? "" : separated)
          .append(number % ONE_FAILS_OF == ONE_FAILS_OF - 1 ? fail : pass);
      if (alone || inGroup == CASES_OF_A_GROUP - 1 || number == cases - 1) {
        text.append(closes);
      }
      if (alone || number == cases - 1) {
        text.append(tail.replace("%c", Integer.toString(cases)));
      }
      return filled(text.toString(), number);
    }

    /** A small report with all kinds of parts. */
    String small() {
      String all =
          head
              + opens
              + pass
              + separated
              + fail
              + separated
              + pass
              + closes
              + tail.replace("%c", "3");
      return filled(all, ONE_FAILS_OF - 1);
    }

    private static String filled(String text, int number) {
      int second = number / 50 % 60;
      int minute = number / 3000 % 60;
      int milli = number * 20 % 1000;
      String time = "10:%02d:%02d.%03d".formatted(minute, second, milli);
      long since1970 = 1772359200000L + (minute * 60L + second) * 1000 + milli;
      return text.replace("%d", Integer.toString(number))
          .replace("%g", Integer.toString(number / CASES_OF_A_GROUP))
          .replace("%x", "%08x".formatted(number * 0x9e3779b9))
          .replace("%t", time)
          .replace("%m", Long.toString(since1970));
    }

    /** How many cases are about so many bytes, in whole groups. */
    int casesOf(long bytes) {
      long cases = 50 * bytes / files(50).stream().mapToLong(file -> file.length).sum();
      return (int) Math.max(1, cases / CASES_OF_A_GROUP) * CASES_OF_A_GROUP;
    }

    /** The files of so many cases: one, unless each case has its own. */
    List<byte[]> files(int cases) {
      if (alone) {
        return Stream.iterate(0, i -> i + 1).limit(cases).map(i -> bytes(part(i, cases))).toList();
      }
      var text = new StringBuilder();
      for (int i = 0; i < cases; i++) {
        text.append(part(i, cases));
      }
      return List.of(bytes(text.toString()));
    }
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static List<Sample> all() {
    return Stream.of(XmlSamples.all(), JsonSamples.all(), LineSamples.all())
        .flatMap(List::stream)
        .toList();
  }
}
