package dev.mainstay.cli.simulate.report;

import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** Comma-separated lines as of RFC 4180, with a line feed after each. */
final class Csv {
  private final StringBuilder text = new StringBuilder();

  void add(List<String> fields) {
    text.append(fields.stream().map(Csv::quoted).collect(Collectors.joining(","))).append('\n');
  }

  /** A number without exponent and without needless zeros. */
  static String number(double value) {
    return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }

  private static String quoted(String field) {
    boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
    return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
