package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MainTest {
  /** What a command printed, and its exit code. */
  record Outcome(int exitCode, String out, String err) {}

  static Outcome run(String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exitCode =
        Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(args);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Test
  void version_tells_all_versions() {
    Outcome outcome = run("version");
    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out())
        .matches("(?s)mainstay \\S+ \\(embedded PostgreSQL 18\\.\\S+, Java 2\\S+\\)\\s");
  }

  @Test
  void help_lists_every_command_and_explains_each() {
    String help = run("help").out();
    for (String command :
        new String[] {"serve", "org", "keys", "repo", "queue", "pr", "simulate", "version"}) {
      assertThat(help).contains("  " + command);
      assertThat(run("help", command).exitCode()).isZero();
    }
    assertThat(run("help", "serve").out()).contains("--data-dir").contains("MAINSTAY_TOKEN");
  }

  @Test
  void a_bad_configuration_lists_all_faults_at_once_and_exits_with_2() {
    Outcome outcome = run("serve", "--port", "http", "--log-format", "xml", "--org", "A B");
    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err().lines()).hasSize(3).allMatch(line -> line.startsWith("mainstay: --"));
  }

  @Test
  void a_start_that_fails_says_why_in_one_line_and_exits_with_1() {
    Outcome outcome = run("serve", "--port", "0", "--data-dir", "/dev/null/data");
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err().lines())
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
    var args = new java.util.ArrayList<>(java.util.List.of(command.split(" ")));
    args.addAll(2, java.util.List.of("--data-dir", "/dev/null/data"));
    Outcome outcome = run(args.toArray(String[]::new));
    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).startsWith("mainstay: ").doesNotContain("data directory");
  }

  @Test
  void an_unknown_command_or_option_exits_with_2() {
    assertThat(run("fly").exitCode()).isEqualTo(2);
    assertThat(run("serve", "--fly").exitCode()).isEqualTo(2);
    assertThat(run().exitCode()).isEqualTo(2);
  }
}
