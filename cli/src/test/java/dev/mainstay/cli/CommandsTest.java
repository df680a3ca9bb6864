package dev.mainstay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mainstay.cli.shell.Shell;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** A command is the same whether all were looked through or it alone. */
class CommandsTest {
  private static final Shell SHELL =
      new Shell(
          Map.of(),
          Path.of("/"),
          InputStream.nullInputStream(),
          new PrintWriter(Writer.nullWriter()),
          new PrintWriter(Writer.nullWriter()),
          false);

  @TempDir private Path directory;

  @Test
  void each_command_by_itself_explains_itself_as_among_all() {
    var all = Main.commandLine(SHELL);
    assertThat(all.getSubcommands()).hasSizeGreaterThan(20);
    for (var command : all.getSubcommands().entrySet()) {
      String name = command.getKey();
      assertThat(command.getValue().getCommandName()).isEqualTo(name);
      if (!name.equals("help") && !name.equals("completion")) {
        same(command.getValue(), part(Main.commandLine(SHELL, name), name));
      }
      for (var part : command.getValue().getSubcommands().entrySet()) {
        var alone = Main.commandLine(SHELL, name, part.getKey());
        assertThat(alone.getSubcommands()).containsOnlyKeys(name);
        assertThat(part(alone, name).getSubcommands()).containsOnlyKeys(part.getKey());
        same(part.getValue(), part(part(alone, name), part.getKey()));
      }
    }
  }

  private static CommandLine part(CommandLine whole, String name) {
    return Objects.requireNonNull(whole.getSubcommands().get(name), name);
  }

  private static void same(CommandLine one, CommandLine other) {
    assertThat(other.getUsageMessage()).isEqualTo(one.getUsageMessage());
  }

  /** Whatever prints something that a script would read can; `simulate` has --format json. */
  @Test
  void every_command_that_tells_something_has_json() {
    var without = new ArrayList<String>();
    collect(Main.commandLine(SHELL), without);
    assertThat(without)
        .containsExactlyInAnyOrder(
            "mainstay serve", "mainstay mcp", "mainstay demo", "mainstay completion");
  }

  private static void collect(CommandLine command, List<String> without) {
    if (command.getSubcommands().isEmpty()) {
      var spec = command.getCommandSpec();
      if (!spec.optionsMap().containsKey("--json") && !spec.helpCommand()) {
        without.add(spec.qualifiedName());
      }
    }
    command.getSubcommands().values().forEach(part -> collect(part, without));
  }

  @ParameterizedTest
  @CsvSource({
    "mainstay que,queue",
    "mainstay queue sho,show",
    "mainstay pr submit --prio,--priority"
  })
  void a_bash_completes_commands_and_options(String typed, String completed) throws Exception {
    Path script = directory.resolve("completion");
    Files.writeString(script, Cli.in(Path.of("/")).run("completion bash").out());
    String[] words = typed.split(" ", -1);
    var bash =
        new ProcessBuilder(
                "bash",
                "--norc",
                "-c",
                """
                source "$1"
                COMP_WORDS=("${@:2}")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                COMP_LINE="${*:2}"
                COMP_POINT=${#COMP_LINE}
                $(complete -p mainstay | sed 's/.*-F \\([^ ]*\\).*/\\1/') mainstay "${COMP_WORDS[COMP_CWORD]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """,
                "bash",
                script.toString())
            .redirectErrorStream(true);
    bash.command().addAll(List.of(words));
    var process = bash.start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(out).isZero();
    assertThat(out.lines().map(String::strip)).contains(completed);
  }

  /** A zsh at a terminal of its own, in which somebody types and presses the key Tab. */
  @ParameterizedTest
  @CsvSource({
    "mainstay que,mainstay queue",
    "mainstay queue sho,mainstay queue show",
    "mainstay pr submit --prio,mainstay pr submit --priority"
  })
  void a_zsh_completes_commands_and_options(String typed, String completed) throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/zsh")), "there is no zsh here");
    Path script = directory.resolve("completion");
    Files.writeString(script, Cli.in(Path.of("/")).run("completion zsh").out());
    var process =
        new ProcessBuilder(
                "zsh",
                "-f",
                "-c",
                """
                zmodload zsh/zpty
                zpty shell 'TERM=dumb zsh -f -i'
                zpty -w shell "PS1='RE''ADY> '; autoload -Uz compinit; compinit -D -u; source $1"
                zpty -r shell out '*READY> *'
                zpty -n -w shell "$2"$'\\t'
                zpty -r shell out "*$3 *"
                zpty -d shell
                """,
                "zsh",
                script.toString(),
                typed,
                completed)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("said").toFile())
            .start();
    // What is not completed is waited for in vain.
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    String said = Files.readString(directory.resolve("said"));
    assertThat(ended).as(said).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
  }

  @Test
  void another_shell_is_refused() {
    var ran = Cli.in(Path.of("/")).run("completion fish");
    assertThat(ran.exitCode()).isEqualTo(2);
    assertThat(ran.err()).isEqualTo("mainstay: The shell is bash or zsh.\n");
  }
}
