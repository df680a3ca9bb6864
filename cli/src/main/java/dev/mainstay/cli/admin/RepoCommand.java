package dev.mainstay.cli.admin;

import dev.mainstay.cli.health.RepoSet;
import dev.mainstay.cli.health.RepoSummary;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.connection.ConnectionView;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.Json;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "repo",
    mixinStandardHelpOptions = true,
    description =
        "Repositories and where their code lives. Works on the database itself, whether the service"
            + " runs or not; `list`, `summary` and `set` call a server.",
    subcommands = {RepoConnect.class, RepoList.class, RepoSummary.class, RepoSet.class})
public final class RepoCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public RepoCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "check",
      mixinStandardHelpOptions = true,
      description =
          "Ask a repository's forge whether everything is set up, and say how to mend what is not."
              + " Exits with 1 where something is missing.")
  void check(
      @Mixin AdminOptions options,
      @Mixin OrgOption org,
      @Parameters(paramLabel = "REPO", description = Repositories.HELP) String repo) {
    RepoName name = Repositories.repo(repo);
    Repositories.withQueues(
        options,
        org.slug(),
        (organization, queues) -> {
          List<Finding> findings =
              queues
                  .connections()
                  .check(organization.id(), name)
                  .orElseThrow(() -> notConnected(name));
          new Findings(findings).print(options, shell, Json.object());
        });
  }

  @Command(
      name = "disconnect",
      mixinStandardHelpOptions = true,
      description =
          "Forget where a repository's code lives. Its queues wait until it is known again.")
  void disconnect(
      @Mixin AdminOptions options,
      @Mixin OrgOption org,
      @Parameters(paramLabel = "REPO", description = Repositories.HELP) String repo) {
    RepoName name = Repositories.repo(repo);
    Repositories.withQueues(
        options,
        org.slug(),
        (organization, queues) -> {
          if (!queues.connections().disconnect(organization.id(), name)) {
            throw notConnected(name);
          }
          options.done("Disconnected %s.".formatted(name));
        });
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show how a repository is connected.")
  void show(
      @Mixin AdminOptions options,
      @Mixin OrgOption org,
      @Parameters(paramLabel = "REPO", description = Repositories.HELP) String repo) {
    RepoName name = Repositories.repo(repo);
    Repositories.withQueues(
        options,
        org.slug(),
        (organization, queues) -> {
          ConnectionView connection =
              queues
                  .connections()
                  .find(organization.id(), name)
                  .orElseThrow(() -> notConnected(name));
          options.answer(
              Repositories.json(connection), () -> Repositories.print(connection, shell));
        });
  }

  private static Refusal notConnected(RepoName name) {
    return new Refusal("%s is not connected: see `mainstay repo connect --help`.".formatted(name));
  }
}
