package dev.mainstay.server.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OwnersTest {
  private final Owners owners =
      Owners.parse(
              """
              # who owns what
              *            @team/all
              *.js         @web @design
              /server/     @backend
              docs/**      docs@example.com
              """)
          .orElseThrow();

  @Test
  void the_last_rule_that_fits_a_file_names_its_owners() {
    assertThat(owners.of("README")).containsExactly("@team/all");
    assertThat(owners.of("web/app.js")).containsExactly("@web", "@design");
    assertThat(owners.of("server/a/b.java")).containsExactly("@backend");
    assertThat(owners.of("./server/x.js")).containsExactly("@backend");
    assertThat(owners.of("docs/deep/page.md")).containsExactly("docs@example.com");
  }

  @Test
  void a_test_without_a_file_has_no_owner() {
    assertThat(owners.of("")).isEmpty();
  }

  @Test
  void sections_of_gitlab_each_name_their_owners() {
    var gitlab =
        Owners.parse(
                """
                [Backend] @backend
                *.rb
                [Docs]
                *.md @writers
                """)
            .orElseThrow();
    assertThat(gitlab.of("a.rb")).containsExactly("@backend");
    assertThat(gitlab.of("a.md")).containsExactly("@writers");
  }

  @Test
  void nonsense_is_survived() {
    assertThat(Owners.parse("\u0000[[[ \n * \n ]]]").map(o -> o.of("x").size())).isNotNull();
  }
}
