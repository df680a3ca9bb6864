package dev.mainstay.server.forge.gitea;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Patterns, as Gitea itself reads them. */
class GiteaGlobTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "main main true",
        "main mainly false",
        "** mainstay/main/r1 true",
        "* mainstay/main/r1 false",
        "mainstay/** mainstay/main/r1 true",
        "mainstay/* mainstay/main/r1 false",
        "main*/** mainstay/main/r1 true",
        "m?in main true",
        "a?b a/b false",
        "release/[0-9].* release/1.0 true",
        "release/[!0-9].* release/1.0 false",
        "{main,release/*} release/1.0 true",
        "{main,release/*} master false",
        "a\\*b a*b true",
        "a\\*b axb false",
        "[ [ true"
      })
  void a_branch_matches_as_at_the_host(String pattern, String name, boolean matches) {
    assertThat(GiteaGlob.matchesBranch(pattern, name)).isEqualTo(matches);
  }

  @Test
  void a_star_goes_over_slashes_in_the_names_of_checks() {
    assertThat(GiteaGlob.matchesCheck("ci/*", "ci/a/b")).isTrue();
    assertThat(GiteaGlob.matchesCheck("ci/*", "lint")).isFalse();
    assertThat(GiteaGlob.matchesCheck("ci (*)", "ci (linux)")).isTrue();
  }

  @Test
  void a_pattern_that_was_made_to_take_long_does_not() {
    Assertions.assertTimeout(
        Duration.ofSeconds(30),
        () -> {
          assertThat(GiteaGlob.matchesCheck("*a".repeat(140) + "b", "a".repeat(300))).isFalse();
          assertThat(GiteaGlob.matchesCheck("{a,b,c}".repeat(40), "a".repeat(41))).isFalse();
        });
  }
}
