package dev.mainstay.core.simulation.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Columns of text that line up: the first to the left, the others to the right. */
final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  TextTable(List<String> headers) {
    rows.add(headers);
  }

  void add(List<String> cells) {
    rows.add(cells);
  }

  @Override
  public String toString() {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    var text = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      text.append(line(rows.get(i), widths)).append('\n');
      if (i == 0) {
        text.append(rule(widths)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(List<String> cells, int[] widths) {
    var line = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      String gap = " ".repeat(widths[i] - cells.get(i).length());
      line.append(i == 0 ? "" : "  ");
      line.append(i == 0 ? cells.get(i) + gap : gap + cells.get(i));
    }
    return line.toString().stripTrailing();
  }

  private static String rule(int[] widths) {
    return Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.joining("  "));
  }
}
