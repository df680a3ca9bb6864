package dev.mainstay.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenTest {
  @Test
  void a_terminal_is_drawn_over_and_never_wrapped() {
    var text = new StringWriter();
    var screen = new Screen(new PrintWriter(text), true, 5);
    screen.draw(List.of("first line", "b"));
    screen.draw(List.of("c"));
    assertThat(text).hasToString("\u001b[Jfirst\nb\n\u001b[2A\u001b[Jc\n");
  }
}
