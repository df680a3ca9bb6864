package dev.mainstay.cli.github;

import dev.mainstay.cli.shell.Shell;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "github",
    mixinStandardHelpOptions = true,
    description = "Prepare a GitHub for this Mainstay. Needs neither the service nor its database.",
    subcommands = {GitHubSetup.class})
public final class GitHubCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public GitHubCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }
}
