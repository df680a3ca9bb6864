package dev.mainstay.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rows printed in columns as wide as their widest cell. What would move a terminal's cursor is
 * shown as a question mark: cells hold what strangers wrote.
 */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  Table row(String... cells) {
    rows.add(Stream.of(cells).map(Table::harmless).toList());
    return this;
  }

  void print(PrintWriter out) {
    lines().forEach(out::println);
    out.flush();
  }

  List<String> lines() {
    int[] widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  static String harmless(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      line.append(row.get(c)).append(" ".repeat(widths[c] - row.get(c).length() + 2));
    }
    return line.toString().stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
