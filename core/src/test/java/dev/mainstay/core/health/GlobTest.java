package dev.mainstay.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {

  @ParameterizedTest
  @CsvSource({
    "main, main, true",
    "main, mainx, false",
    "*, anything/at/all, true",
    "release/*, release/1/2, true",
    "release/*, release, false",
    "v?, v1, true",
    "v?, v12, false",
    "*-lts, 2.0-lts, true",
    "a*b*c, a-b-b-c, true",
    "a*b*c, a-c-b, false",
    "a.c, abc, false",
    "'', '', true",
    "**, x, true",
  })
  void stars_span_slashes_and_question_marks_stand_for_one(
      String pattern, String text, boolean expected) {
    assertThat(new Glob(pattern).matches(text)).isEqualTo(expected);
  }

  @Test
  void a_pattern_made_to_be_slow_is_not() {
    assertThat(new Glob("*a".repeat(500) + "b").matches("a".repeat(5000))).isFalse();
  }
}
