package dev.mainstay.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows printed in columns as wide as their widest cell. */
final class Table {
  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  Table row(String... cells) {
    rows.add(List.of(cells));
    return this;
  }

  void print(PrintWriter out) {
    int columns = rows.getFirst().size();
    for (var row : rows) {
      var line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        line.append(row.get(c)).append(" ".repeat(width(c) - row.get(c).length() + 2));
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
