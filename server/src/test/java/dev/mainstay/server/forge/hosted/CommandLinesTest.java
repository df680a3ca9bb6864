package dev.mainstay.server.forge.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.forge.Host;
import org.junit.jupiter.api.Test;

/** The lines of a comment that may be commands. */
class CommandLinesTest {
  @Test
  void they_begin_with_a_slash_outside_of_code() {
    assertThat(CommandLines.of("Hello\r\n/a b  \r\n /c\n> /d\n/e")).containsExactly("/a b", "/e");
    assertThat(CommandLines.of("```sh\n/a\n~~~\n/b\n```\n/c\n~~~~\n/d\n~~~\n/e\n~~~~\n/f"))
        .containsExactly("/c", "/f");
    assertThat(CommandLines.of("```\n/a, and nothing ends it\n/b")).isEmpty();
    assertThat(CommandLines.of("")).isEmpty();
  }

  @Test
  void none_are_our_own() {
    assertThat(CommandLines.of(CommandLines.MARK + "\n/a")).isEmpty();
    assertThat(CommandLines.of("Look: " + CommandLines.MARK + "\n/a")).containsExactly("/a");
  }

  @Test
  void they_are_bounded() {
    assertThat(CommandLines.of("/a\n".repeat(1000))).hasSize(Host.MOST_LINES);
    assertThat(CommandLines.of("/" + "a".repeat(60_000)).getFirst()).hasSize(200);
    assertThat(CommandLines.of("a".repeat(200_000) + "\n/b")).isEmpty();
  }
}
