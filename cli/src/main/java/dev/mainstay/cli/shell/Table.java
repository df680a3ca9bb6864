package dev.mainstay.cli.shell;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows printed in columns as wide as their widest cell. Whatever would move a terminal's cursor is
 * shown as a question mark: cells hold texts of strangers.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();
  private final boolean figures;

  private Table(List<String> headings, boolean figures) {
    rows.add(headings);
    this.figures = figures;
  }

  /** A table of texts, which begin at the left of their columns. */
  public Table(String... headings) {
    this(List.of(headings), false);
  }

  /** A table of figures, which end at the right of their columns; the first column names them. */
  public static Table ofFigures(List<String> headings) {
    return new Table(headings, true);
  }

  public Table row(String... cells) {
    return row(List.of(cells));
  }

  public Table row(List<String> cells) {
    rows.add(cells.stream().map(Table::harmless).toList());
    return this;
  }

  public void print(PrintWriter out) {
    lines().forEach(out::println);
    out.flush();
  }

  public List<String> lines() {
    int[] widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    var lines = new ArrayList<>(rows.stream().map(row -> line(row, widths)).toList());
    if (figures) {
      lines.add(1, Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.joining(GAP)));
    }
    return lines;
  }

  /** All lines, each with its end. */
  public String text() {
    return lines().stream().map(line -> line + "\n").collect(Collectors.joining());
  }

  public static String harmless(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  private String line(List<String> row, int[] widths) {
    return IntStream.range(0, widths.length)
        .mapToObj(
            column -> {
              String fill = " ".repeat(widths[column] - row.get(column).length());
              return figures && column > 0 ? fill + row.get(column) : row.get(column) + fill;
            })
        .collect(Collectors.joining(GAP))
        .stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
