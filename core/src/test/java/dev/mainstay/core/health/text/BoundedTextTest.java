package dev.mainstay.core.health.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BoundedTextTest {

  @Test
  void short_texts_stay_as_they_are() {
    assertThat(BoundedText.name("näme 名前", 10)).isEqualTo("näme 名前");
    assertThat(BoundedText.middleCut("stack", 10)).isEqualTo("stack");
  }

  @Test
  void long_names_that_begin_alike_stay_distinguishable() {
    String common = "x".repeat(1_000_000);
    String one = BoundedText.name(common + "1", 500);
    String two = BoundedText.name(common + "2", 500);
    assertThat(one).hasSize(500).isNotEqualTo(two);
  }

  @Test
  void a_cut_never_leaves_half_a_character() {
    String emoji = "😀".repeat(100);
    for (int length = 40; length < 60; length++) {
      assertThat(halves(BoundedText.name(emoji, length))).isZero();
      assertThat(halves(BoundedText.head(emoji, length))).isZero();
      assertThat(halves(BoundedText.middleCut(emoji, length))).isZero();
    }
  }

  @Test
  void a_long_stack_keeps_its_beginning_and_its_end() {
    String stack = "first line\n" + "middle\n".repeat(1000) + "Caused by: last line";
    assertThat(BoundedText.middleCut(stack, 200))
        .startsWith("first line")
        .contains("… cut …")
        .endsWith("Caused by: last line")
        .hasSizeLessThanOrEqualTo(200);
  }

  private static long halves(String text) {
    return text.codePoints().filter(c -> c >= 0xd800 && c <= 0xdfff).count();
  }
}
