package dev.mainstay.server.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Secrets in a stream, however it is cut into pieces. */
class ScrubberTest {
  private static String scrubbed(List<String> secrets, String... pieces) {
    var output = new BoundedOutput(1000);
    var scrubber = new Scrubber(output, secrets);
    for (String piece : pieces) {
      byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
      scrubber.write(bytes, bytes.length);
    }
    scrubber.end();
    return output.text();
  }

  @Test
  void a_secret_is_blotted_out_wherever_the_stream_is_cut() {
    String text = "a secretly secret, sec and secrets";
    for (int one = 0; one <= text.length(); one++) {
      for (int two = one; two <= text.length(); two++) {
        assertThat(
                scrubbed(
                    List.of("secret"),
                    text.substring(0, one),
                    text.substring(one, two),
                    text.substring(two)))
            .isEqualTo("a ***ly ***, sec and ***s");
      }
    }
  }

  @Test
  void of_two_that_begin_alike_the_longer_one_goes_as_a_whole() {
    assertThat(scrubbed(List.of("secret", "secret-and-more"), "secret-and", "-more, secret-and"))
        .isEqualTo("***, ***-and");
  }

  @Test
  void without_secrets_all_passes() {
    assertThat(scrubbed(List.of(), "all ", "of it")).isEqualTo("all of it");
  }

  @Test
  void a_secret_on_the_edge_of_what_is_kept_does_not_show_in_part() {
    var output = new BoundedOutput(20);
    var scrubber = new Scrubber(output, List.of("secret"));
    byte[] text = "12345678secret90 and much more secret".getBytes(StandardCharsets.UTF_8);
    scrubber.write(text, text.length);
    scrubber.end();
    assertThat(output.text()).startsWith("12345678**").endsWith("more ***").doesNotContain("se");
  }
}
