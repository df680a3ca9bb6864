package dev.mainstay.server.web.svg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlainTextTest {
  @Test
  void what_turns_or_breaks_a_line_is_left_out() {
    assertThat(PlainText.clean(" a\u0000\n\tb\u202Ec\u2066d\uFEFF ", 50)).isEqualTo("a bcd");
    assertThat(PlainText.clean("x\uD800y\uFFFEz\uDC00", 50)).isEqualTo("xyz");
  }

  @Test
  void letters_of_all_scripts_and_joined_signs_stay() {
    assertThat(PlainText.clean("مرحبا 漢字 👩‍🚀", 50)).isEqualTo("مرحبا 漢字 👩‍🚀");
  }

  @Test
  void a_long_text_ends_in_a_sign_and_never_in_half_a_character() {
    assertThat(PlainText.clean("abcdef", 3)).isEqualTo("abc…");
    assertThat(PlainText.clean("ab👩cd", 3)).isEqualTo("ab…");
  }

  @Test
  void a_text_is_cut_to_the_room_it_has() {
    String hostile = "W".repeat(10_000);
    for (int room : new int[] {20, 60, 200}) {
      assertThat(PlainText.width(PlainText.fit(hostile, room, 12), 12)).isLessThanOrEqualTo(room);
    }
    assertThat(PlainText.fit("short", 200, 12)).isEqualTo("short");
    assertThat(PlainText.fit("anything", 0, 12)).isEqualTo("…");
  }

  @Test
  void plain_text_is_as_wide_and_cut_as_the_same_among_letters_of_others() {
    var plain = new StringBuilder();
    for (char sign = '!'; sign <= '~'; sign++) {
      plain.append(sign).append(sign % 3 == 0 ? " " : "");
    }
    String text = plain.toString().strip();
    assertThat(PlainText.width(text + "é", 12))
        .isCloseTo(PlainText.width(text, 12) + PlainText.width("é", 12), offset(1e-6));
    for (int room = 0; room < 700; room += 7) {
      assertThat(PlainText.fit(text, room, 12)).isEqualTo(PlainText.fit(text + "é", room, 12));
    }
    for (String kept : List.of("a b", "~")) {
      assertThat(PlainText.clean(kept, 3)).isEqualTo(kept);
    }
    assertThat(PlainText.clean("a  b", 9)).isEqualTo("a b");
    assertThat(PlainText.clean("a b ", 9)).isEqualTo("a b");
    assertThat(PlainText.clean(" ", 9)).isEmpty();
  }

  @Test
  void a_letter_under_a_hundred_accents_is_not_drawn() {
    assertThat(PlainText.fit("a" + "\u0301".repeat(100) + "b", 300, 12)).isEqualTo("…");
  }

  @Test
  void a_family_of_emoji_is_cut_before_or_behind_it() {
    String family = "👨‍👩‍👧‍👦";
    assertThat(PlainText.fit(family.repeat(9), 60, 12).replace(family, "")).isEqualTo("…");
  }

  @Test
  void elements_escape_and_lead_nowhere_bad() {
    String svg =
        new Svg()
            .open("a", "href", "javascript:alert(1)", "class", "\"><script>")
            .text("text", "<b>&'\"")
            .close("a")
            .toString();
    var parsed = Xml.parse(svg).getDocumentElement();
    assertThat(parsed.getAttribute("href")).isEqualTo("#");
    assertThat(parsed.getAttribute("class")).isEqualTo("\"><script>");
    assertThat(parsed.getTextContent()).isEqualTo("<b>&'\"");
  }
}
