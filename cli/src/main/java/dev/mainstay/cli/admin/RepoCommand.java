package dev.mainstay.cli.admin;

import dev.mainstay.cli.health.RepoSet;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.connection.ConnectionView;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.Queues;
import java.time.Clock;
import java.util.List;
import java.util.function.BiConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "repo",
    mixinStandardHelpOptions = true,
    description =
        "Repositories and where their code lives. Works on the database itself, whether the service"
            + " runs or not; `list` and `set` call a server.",
    subcommands = {RepoConnect.class, RepoList.class, RepoSet.class})
public final class RepoCommand implements Runnable {
  static final String REPO_HELP = "The repository: HOST/OWNER/NAME.";

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
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo) {
    RepoName name = repo(repo);
    withQueues(
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
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo) {
    RepoName name = repo(repo);
    withQueues(
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
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo) {
    RepoName name = repo(repo);
    withQueues(
        options,
        org.slug(),
        (organization, queues) -> {
          ConnectionView connection =
              queues
                  .connections()
                  .find(organization.id(), name)
                  .orElseThrow(() -> notConnected(name));
          options.answer(json(connection), () -> print(connection, shell));
        });
  }

  static ObjectNode json(ConnectionView connection) {
    var answer = Json.object();
    answer
        .putObject("repo")
        .put("host", connection.repo().host())
        .put("owner", connection.repo().owner())
        .put("name", connection.repo().name());
    answer.put("kind", connection.kind());
    answer.put("address", connection.address());
    connection.testCommand().ifPresent(command -> answer.put("testCommand", command));
    answer.put("testTimeoutMinutes", connection.testTimeout().toMinutes());
    answer.put("connectedAt", connection.connectedAt().toString());
    connection.lastSeenAt().ifPresent(time -> answer.put("lastSeenAt", time.toString()));
    connection.fault().ifPresent(fault -> answer.put("fault", fault));
    return answer;
  }

  static void print(ConnectionView connection, Shell shell) {
    var table = new Table("KIND", "ADDRESS", "TEST COMMAND", "TIMEOUT", "LAST SEEN", "FAULT");
    table.row(
        connection.kind(),
        connection.address(),
        connection.testCommand().orElse("-"),
        connection.testTimeout().toMinutes() + "m",
        connection.lastSeenAt().map(Object::toString).orElse("never"),
        connection.fault().orElse("-"));
    table.print(shell.out());
  }

  private static Refusal notConnected(RepoName name) {
    return new Refusal("%s is not connected: see `mainstay repo connect --help`.".formatted(name));
  }

  static RepoName repo(String text) {
    return RepoName.parse(text)
        .orElseThrow(
            () -> new WrongCall("A repository is HOST/OWNER/NAME, not %s.".formatted(text)));
  }

  static void withQueues(
      DatabaseOptions options, String org, BiConsumer<Organization, Queues> work) {
    Config config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var storage = Storage.ofCommand(config);
        var rooms =
            new MergeQueues(
                storage.database(), Clock.systemUTC(), config.dataDirectory().resolve("work"))) {
      work.accept(organization(storage, org), rooms.queues());
    }
  }

  static Organization organization(Storage storage, String slug) {
    return new Access(storage.database(), Clock.systemUTC())
        .organization(slug)
        .orElseThrow(() -> OrgCommand.unknown(slug));
  }
}
