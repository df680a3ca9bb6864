package dev.mainstay.server.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnersTest {
  private final Owners owners =
      Owners.parse(
          """
              # who owns what
              *            @team/all
              *.js         @web @design
              /server/     @backend
              docs/**      docs@example.com
              """);

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
                """);
    assertThat(gitlab.of("a.rb")).containsExactly("@backend");
    assertThat(gitlab.of("a.md")).containsExactly("@writers");
  }

  @Test
  void sections_of_one_name_are_one_and_the_last_rule_of_each_counts() {
    var gitlab =
        Owners.parse(
            """
            * @all # everything else
            ^[Docs][2] @writers @editors
            docs/
            /docs/secret.md @lawyers
            [Web]
            *.js @web
            [docs] @late
            README.md
            !docs/generated/
            [no head]x @brackets
            """);
    assertThat(gitlab.of("docs/a.md")).containsExactly("@all", "@writers", "@editors", "@late");
    assertThat(gitlab.of("docs/secret.md")).containsExactly("@all", "@lawyers");
    assertThat(gitlab.of("docs/generated/a.js")).containsExactly("@all", "@web");
    assertThat(gitlab.of("x/README.md")).contains("@late");
  }

  /** Each line: a pattern, paths that fit, and behind a bar those that do not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "* a b/c .d |",
        "*.js a.js b/a.js a.js/b | a.jsx js",
        "/*.js a.js | b/a.js",
        "docs/* docs/a x/docs/a | docs/a/b docs",
        "/docs/ docs/a docs/a/b | docs x/docs/a docsx/a",
        "docs docs docs/a x/docs x/docs/a | docsx xdocs/a",
        "docs/** docs/a x/docs/a/b | docs docsx/a",
        "/a/**/b a/b a/x/b a/x/y/b/c | b a/xb c/a/b",
        "**/b b a/b a/x/b/c | ab bc",
        "/a*b/c? axb/cd ab/cd/e | axb/c axb/c/d x/ab/cd",
        "a/*/c a/b/c x/a/b/c/d | a/c a/b/b/c",
        "src/te*/ src/te/a src/test/a/b | src/test",
        "/a\\*b a*b | axb a",
        "a.b a.b x/a.b | axb",
        "/app/[slug] app/[slug]/page | app/s/page",
        "über/größe über/größe x/über/größe/a | uber/große",
        "/ | a a/b",
      })
  void a_pattern_fits_folder_by_folder(String line) {
    String[] halves = line.split("\\|", -1);
    String[] words = halves[0].strip().split(" ", -1);
    var one = Owners.parse(words[0] + " @x");
    for (int i = 1; i < words.length; i++) {
      assertThat(one.of(words[i])).as("%s fits %s", words[0], words[i]).containsExactly("@x");
    }
    for (String path : halves[1].strip().split(" ", -1)) {
      assertThat(one.of(path)).as("%s does not fit %s", words[0], path).isEmpty();
    }
  }

  @Test
  void blanks_in_patterns_stand_behind_a_backslash() {
    var one = Owners.parse("my\\ docs/ @a  # @b\n\t\n# c @d\nno\\#comment b@c.d nobody\n");
    assertThat(one.of("my docs/a")).containsExactly("@a");
    assertThat(one.of("no#comment")).containsExactly("b@c.d");
    assertThat(one.of("c")).isEmpty();
  }

  @Test
  void a_rule_without_owners_takes_them_away() {
    var one = Owners.parse("* @a\n/free/\n");
    assertThat(one.of("x")).containsExactly("@a");
    assertThat(one.of("free/x")).isEmpty();
  }

  @Test
  void patterns_of_many_stars_take_few_steps() {
    var one =
        Owners.parse("* @all\n" + "*a".repeat(400) + "*b @x\n" + "**/a*/".repeat(150) + "b @x\n");
    assertThat(one.of("a".repeat(3900))).containsExactly("@all");
    assertThat(one.of("a/".repeat(1900) + "c")).containsExactly("@all");
    assertThat(one.fault()).isEmpty();
  }

  @Test
  void steps_are_bounded_for_all_paths_together_and_that_is_told() {
    var rules = new StringBuilder("* @all\n");
    for (int i = 0; i < 19_000; i++) {
      rules.append("*a".repeat(60)).append(i).append(" @x\n");
    }
    var one = Owners.parse(rules.toString());
    int found = 0;
    while (one.fault().isEmpty()) {
      found += one.of("a".repeat(300) + found).size();
      assertThat(found).isLessThan(1000);
    }
    assertThat(one.takesLong()).isTrue();
    assertThat(one.of("another")).isEmpty();
  }

  @Test
  void a_large_file_of_plain_folders_costs_little_for_each_path() {
    var rules = new StringBuilder();
    for (int i = 0; i < 19_000; i++) {
      rules.append("/src/part%d/ @team%d\n".formatted(i, i));
    }
    var one = Owners.parse(rules.toString());
    for (int i = 0; i < 19_000; i++) {
      assertThat(one.of("src/part%d/a.py".formatted(i))).containsExactly("@team" + i);
    }
    assertThat(one.takesLong()).isFalse();
  }

  @Test
  void what_is_too_long_counts_for_nothing() {
    assertThat(Owners.parse("* @a\n" + "x".repeat(1001) + " @b").of("x".repeat(1001)))
        .containsExactly("@a");
    assertThat(Owners.parse("* @a").of("x/".repeat(2001))).isEmpty();
    assertThat(Owners.parse("* @a\n".repeat(20_001)).of("x")).isEmpty();
    assertThat(Owners.parse("[%d]\n".repeat(30_000).formatted(numbers(30_000))).fault())
        .isPresent();
    assertThat(Owners.parse("* " + "@%d ".repeat(60).formatted(numbers(60))).of("x")).hasSize(50);
  }

  private static Object[] numbers(int most) {
    return IntStream.range(0, most).boxed().toArray();
  }

  @Test
  void nonsense_is_survived() {
    for (String text :
        List.of("", "\u0000[[[ \n * \n ]]]", "[", "^[", "^", "!", "\\", "[] @a", "!! @a")) {
      assertThat(Owners.parse(text).of("x")).isNotNull();
    }
  }
}
