package dev.mainstay.cli.shell;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rows printed in columns as wide as their widest cell. On a terminal that is narrower, the widest
 * columns are cut until all fit, but for ids, which people copy; elsewhere everything is printed.
 * Whatever would move a terminal's cursor is shown as a question mark: cells hold texts of
 * strangers.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final String CUT = "…";

  /** No column is cut to less, and no terminal is narrower. */
  private static final int NARROW = 8;

  private static final int NARROWEST_TERMINAL = 40;
  private static final Pattern ID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

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

  public void print(Shell shell) {
    List<String> lines = lines();
    boolean isWide = lines.stream().anyMatch(line -> line.length() > NARROWEST_TERMINAL);
    OptionalInt width = isWide ? shell.width() : OptionalInt.empty();
    (width.isPresent() ? lines(width.getAsInt()) : lines).forEach(shell.out()::println);
    shell.out().flush();
  }

  public List<String> lines() {
    return lines(Integer.MAX_VALUE);
  }

  /** The lines, none of them longer than that. */
  List<String> lines(int most) {
    int[] widths = IntStream.range(0, rows.getFirst().size()).map(this::width).toArray();
    narrow(widths, most);
    var lines = new ArrayList<>(rows.stream().map(row -> line(row, widths)).toList());
    if (figures) {
      lines.add(1, Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.joining(GAP)));
    }
    lines.replaceAll(line -> cut(line, most));
    return lines;
  }

  /** Takes one column after another from the widest ones that may be cut. */
  private void narrow(int[] widths, int most) {
    Set<Integer> whole =
        IntStream.range(0, widths.length)
            .filter(this::isWhole)
            .boxed()
            .collect(Collectors.toUnmodifiableSet());
    long room = most - (long) GAP.length() * (widths.length - 1);
    while (Arrays.stream(widths).asLongStream().sum() > room) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        if (!whole.contains(i)
            && widths[i] > NARROW
            && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        return;
      }
      widths[widest]--;
    }
  }

  /** Figures say something else without their end, and ids say nothing. */
  private boolean isWhole(int column) {
    return (figures && column > 0)
        || rows.stream().anyMatch(row -> ID.matcher(row.get(column)).matches());
  }

  private static String cut(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    int end = most - CUT.length();
    return text.substring(0, end - (Character.isHighSurrogate(text.charAt(end - 1)) ? 1 : 0)) + CUT;
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
              String cell = cut(row.get(column), widths[column]);
              String fill = " ".repeat(widths[column] - cell.length());
              return figures && column > 0 ? fill + cell : cell + fill;
            })
        .collect(Collectors.joining(GAP))
        .stripTrailing();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }
}
