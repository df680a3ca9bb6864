package dev.mainstay.server.forge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefNamesTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"main", "release/1.2", "a", "feature/#12-über", "x@y", "v1.0-rc", "日本", "a{b}"})
  void what_git_takes_is_a_name(String name) {
    assertThat(RefNames.isBranch(name)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "@",
        "HEAD",
        "--upload-pack=evil",
        "-x",
        "a..b",
        "../a",
        ".a",
        "a/.b",
        "a.lock",
        "a.lock/b",
        "a//b",
        "/a",
        "a/",
        "a.",
        "a b",
        "a~b",
        "a^b",
        "a:b",
        "a?b",
        "a*b",
        "a[b",
        "a\\b",
        "a@{b",
        "a\u0000b",
        "a\nb",
        "a\u007fb",
        "a\u001b"
      })
  void what_git_refuses_is_none(String name) {
    assertThat(RefNames.isBranch(name)).isFalse();
  }

  @Test
  void a_name_fits_into_the_files_of_git() {
    assertThat(RefNames.isBranch("a".repeat(250))).isTrue();
    assertThat(RefNames.isBranch("a".repeat(251))).isFalse();
    assertThat(RefNames.isBranch("日".repeat(84))).isFalse();
    assertThat(RefNames.isBranch("a/".repeat(199) + "bc")).isTrue();
    assertThat(RefNames.isBranch("a/".repeat(199) + "bcd")).isFalse();
  }
}
