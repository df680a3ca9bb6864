package dev.mainstay.server.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OutputTest {
  @Test
  void commands_to_a_terminal_are_left_out_and_text_is_kept() {
    assertThat(Output.readable("\u001B[1;31mred\u001B[0m\tand\r\nplain [0m é \u202E"))
        .isEqualTo("red\tand\r\nplain [0m é \u202E");
    assertThat(Output.readable("\u001B[2K\u001B[?25lup\u001B[1A\u001B(B\u001B7.")).isEqualTo("up.");
    assertThat(Output.readable("\u001B]0;title\u0007a\u001B]8;;x\u001B\\b")).isEqualTo("ab");
  }

  @Test
  void what_is_cut_or_means_harm_hides_no_other_line() {
    assertThat(Output.readable("\u001B]0;never ended\nkept")).isEqualTo("\nkept");
    assertThat(Output.readable("a\u001B[31\nkept\u001B")).isEqualTo("a\nkept");
    assertThat(Output.readable("nul:\u0000 bell:\u0007 c1:\u0085"))
        .isEqualTo("nul:\uFFFD bell:\uFFFD c1:\uFFFD");
    assertThat(Output.readable("\u001B[".repeat(50_000) + "x".repeat(100_000)))
        .as("in no time")
        .hasSize(99_999);
  }
}
