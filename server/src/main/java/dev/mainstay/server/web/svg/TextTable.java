package dev.mainstay.server.web.svg;

import java.util.List;

/** A picture's content as a table, for those who cannot or do not want to look at a picture. */
public record TextTable(List<String> head, List<List<Cell>> rows) {
  private static final int LONGEST = 300;

  public TextTable {
    head = List.copyOf(head);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** A text that is clean but not escaped, and where it leads; an empty address is no link. */
  public record Cell(String text, String href) {
    public Cell {
      text = PlainText.clean(text, LONGEST);
      href = href.isEmpty() ? href : Svg.address(href);
    }

    public static Cell of(Object text) {
      return new Cell(text.toString(), "");
    }
  }
}
