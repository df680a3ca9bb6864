package dev.mainstay.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
    name = "repo",
    mixinStandardHelpOptions = true,
    description = "Repositories and their settings.",
    subcommands = RepoSet.class)
final class RepoCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }
}
