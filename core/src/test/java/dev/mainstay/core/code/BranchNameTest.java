package dev.mainstay.core.code;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BranchNameTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"main", "release/1.2", "a", "feature/#12-über", "x@y", "v1.0-rc", "日本", "a{b}"})
  void what_git_takes_is_a_name(String name) {
    assertThat(BranchName.isValid(name)).isTrue();
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
        "a\ud800"
      })
  void what_git_refuses_is_none(String name) {
    assertThat(BranchName.isValid(name)).isFalse();
  }

  @Test
  void a_name_has_at_most_255_characters() {
    assertThat(BranchName.isValid("a".repeat(255))).isTrue();
    assertThat(BranchName.isValid("a".repeat(256))).isFalse();
  }
}
