package dev.mainstay.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TableTest {
  private static final String ID = "aad1f138-09ab-5ea9-9c21-af48a03d6edd";

  private static Table tests() {
    return new Table("ID", "STATUS", "NAME", "LAST FAILURE")
        .row(ID, "flaky", "adds", "expected 3 but was 4 in the cart of a guest")
        .row(ID, "broken", "pays with a card that is no longer good", "boom");
  }

  private static List<String> printed(boolean terminal, Map<String, String> variables) {
    var text = new StringWriter();
    var out = new PrintWriter(text);
    tests()
        .print(
            new Shell(variables, Path.of(""), InputStream.nullInputStream(), out, out, terminal));
    return text.toString().lines().toList();
  }

  @Test
  void a_terminal_gets_lines_that_fit_and_ids_that_can_be_copied() {
    assertThat(printed(true, Map.of("COLUMNS", "90")))
        .containsExactly(
            "ID                                    STATUS  NAME                   LAST FAILURE",
            ID + "  flaky   adds                   expected 3 but was 4…",
            ID + "  broken  pays with a card tha…  boom");
  }

  @Test
  void whoever_reads_a_pipe_gets_everything() {
    assertThat(printed(false, Map.of("COLUMNS", "60")))
        .isEqualTo(tests().lines())
        .anyMatch(line -> line.endsWith("in the cart of a guest"));
    assertThat(printed(true, Map.of("COLUMNS", "1000"))).isEqualTo(tests().lines());
  }

  @Test
  void what_cannot_be_narrowed_any_more_is_cut_at_the_end() {
    assertThat(printed(true, Map.of("COLUMNS", "50")))
        .allMatch(line -> line.length() <= 50)
        .element(1)
        .isEqualTo(ID + "  flaky   add…");
  }

  @Test
  void figures_are_whole_or_not_there() {
    var table = Table.ofFigures(List.of("DAY OR SOMETHING LONGER", "RUNS"));
    table.row("2026-01-01 and more", "1234567890");
    assertThat(table.lines(24))
        .containsExactly(
            "DAY OR SOME…        RUNS", "------------  ----------", "2026-01-01 …  1234567890");
  }

  @Test
  void no_character_is_cut_in_two() {
    var table = new Table("NAME").row("aaaaaaa\uD83D\uDE00bbbbbbbb");
    assertThat(table.lines(9).get(1)).isEqualTo("aaaaaaa…");
    assertThat(table.lines(10).get(1)).isEqualTo("aaaaaaa\uD83D\uDE00…");
  }

  @Test
  void a_width_that_is_no_number_is_not_believed() {
    for (String columns : List.of("0", "-5", "wide", "99999", "")) {
      assertThat(TerminalWidth.of(java.util.Optional.of(columns))).isBetween(1, 9999);
    }
  }
}
