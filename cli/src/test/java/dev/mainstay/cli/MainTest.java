package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  private static final Cli CLI = Cli.in(Path.of("/"));

  @Test
  void version_tells_all_versions() {
    var ran = CLI.run("version");
    assertThat(ran.exitCode()).isZero();
    assertThat(ran.out())
        .matches("(?s)mainstay \\S+ \\(embedded PostgreSQL 18\\.\\S+, Java 2\\S+\\)\\s");
  }

  @Test
  void versions_can_be_had_as_json() {
    var versions =
        Json.readObject(CLI.run("version --json").out().getBytes(StandardCharsets.UTF_8));
    assertThat(versions.path("mainstay").asString()).isNotEmpty();
    assertThat(versions.path("java").asString()).startsWith("2");
  }

  @Test
  void help_lists_every_command_and_explains_each() {
    String help = CLI.run("help").out();
    for (String command :
        new String[] {
          "serve", "org", "keys", "repo", "github", "queue", "pr", "simulate", "version"
        }) {
      assertThat(help).contains("  " + command);
      assertThat(CLI.run("help " + command).exitCode()).isZero();
    }
    assertThat(CLI.run("help serve").out()).contains("--data-dir").contains("MAINSTAY_TOKEN");
  }

  @Test
  void a_bad_configuration_lists_all_faults_at_once_and_exits_with_2() {
    var ran = CLI.run("serve --port http --log-format xml --org", "A B");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err().lines()).hasSize(3).allMatch(line -> line.startsWith("mainstay: --"));
  }

  @Test
  void a_start_that_fails_says_why_in_one_line_and_exits_with_1() {
    var ran = CLI.run("serve --port 0 --data-dir /dev/null/data");
    assertThat(ran.exitCode()).isEqualTo(1);
    assertThat(ran.err().lines())
        .singleElement()
        .asString()
        .contains("The data directory /dev/null/data cannot be written");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "org create Bad_Slug",
        "keys create --name x --scopes fly",
        "keys create --name x --expires soon",
        "keys rotate --grace 9999d 00000000-0000-0000-0000-000000000000"
      })
  void a_wrong_value_is_told_before_the_database_is_touched(String command) {
    var ran = CLI.run(command, "--data-dir", "/dev/null/data");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).startsWith("mainstay: ").doesNotContain("data directory");
  }

  @Test
  void an_unknown_command_or_option_exits_with_2() {
    assertThat(CLI.run("fly").exitCode()).isEqualTo(2);
    assertThat(CLI.run("serve --fly").exitCode()).isEqualTo(2);
    assertThat(CLI.call().exitCode()).isEqualTo(2);
  }
}
