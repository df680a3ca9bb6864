package dev.mainstay.cli;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import java.util.Set;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    description = {
      "Print what lets a shell complete commands and options of mainstay.",
      "For bash: `mainstay completion bash >~/.local/share/bash-completion/completions/mainstay`.",
      "For zsh: `source <(mainstay completion zsh)` in ~/.zshrc."
    })
final class CompletionCommand implements Runnable {
  private static final Set<String> SHELLS = Set.of("bash", "zsh");

  private final Shell shell;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash or zsh.")
  private String kind;

  CompletionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (!SHELLS.contains(kind)) {
      throw new WrongCall("The shell is bash or zsh.");
    }
    // One script is for both: in zsh it has the completions of bash loaded first.
    shell.out().println(AutoComplete.bash("mainstay", spec.root().commandLine()));
    shell.out().flush();
  }
}
