package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mainstay.cli.shell.Shell;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/** Calls that are wrong, and help that people can read. */
class WrongCallsTest {
  private static final Cli CLI = Cli.in(Path.of("/"));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          queu list                     | `mainstay` has no command queu. Did you mean queue?
          queue crate                   | `mainstay queue` has no command crate. Did you mean create?
          queue show --branc main       | `mainstay queue show` has no option --branc. Did you mean --branch?
          serve --data=/tmp/x           | `mainstay serve` has no option --data=/tmp/x. Did you mean --data-dir or
          version now                   | `mainstay version` has no argument now. See `mainstay version --help`.
          fly                           | `mainstay` has no command fly. See `mainstay --help`.
          keys revoke abc               | 'abc' is not an id, which looks like this: 0b5c0a7e-
          pr submit seven               | 'seven' is not a whole number
          monitor create x --activation much | 'much' is not a number
          keys create                   | Missing required option: '--name=NAME'
          """)
  void a_wrong_call_is_told_in_one_line_that_helps(String command, String sentence) {
    var ran = CLI.run(command);
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err().lines())
        .singleElement()
        .asString()
        .startsWith("mainstay: ")
        .contains(sentence)
        .contains("--help`.")
        .doesNotContain("java.");
    assertThat(ran.out()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pr status 7",
        "org set acme",
        "org set acme --retention 31",
        "org set acme --ticket-url nowhere",
        "org set acme --feature moon=on",
        "repo show nothing",
        "repo connect a/b/c /x --test-timeout 0",
        "monitor create failure_rate --count 3",
        "monitor preview pass_on_retry --branches main",
        "pr list --limit 0",
        "pr watch 7 --timeout soon",
        "status report ci/build perhaps",
        "status report ci/build success --sha 1 --run 2",
        "tests quarantine 00000000-0000-0000-0000-000000000000 perhaps"
      })
  void what_no_server_needs_to_look_at_exits_with_2(String command) {
    var ran =
        CLI.with(
                Map.of(
                    "MAINSTAY_API_TOKEN", "mst_x",
                    "MAINSTAY_URL", "http://127.0.0.1:1",
                    "MAINSTAY_DATA_DIR", "/dev/null/data"))
            .run(command);
    assertThat(ran.exitCode()).as(ran.err()).isEqualTo(2);
    assertThat(ran.err()).startsWith("mainstay: ");
  }

  @Test
  void an_option_of_another_kind_of_monitor_is_named_with_those_it_has() {
    assertThat(CLI.run("monitor create failure_rate --count 3 --repo a/b/c").err())
        .contains("A failure_rate monitor has no --count: it has --activation, --branches,");
  }

  @Test
  void every_option_and_parameter_has_a_name_that_was_chosen() {
    var shell =
        new Shell(
            Map.of(),
            Path.of("/"),
            InputStream.nullInputStream(),
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter()),
            false);
    check(Main.commandLine(shell));
  }

  private static void check(CommandLine command) {
    for (ArgSpec one : command.getCommandSpec().args()) {
      if (one.arity().max() > 0 && !one.hidden()) {
        assertThat(one.paramLabel())
            .as(command.getCommandSpec().qualifiedName() + " " + one)
            .doesNotContain("<");
      }
    }
    command.getSubcommands().values().forEach(WrongCallsTest::check);
  }
}
