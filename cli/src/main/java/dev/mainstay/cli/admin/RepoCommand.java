package dev.mainstay.cli.admin;

import dev.mainstay.cli.health.RepoSet;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.connection.ConnectionView;
import dev.mainstay.server.connection.Connections;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.Queues;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "repo",
    mixinStandardHelpOptions = true,
    description =
        "Repositories and where their code lives. Works on the database itself, whether the service"
            + " runs or not; `set` calls a server.",
    subcommands = RepoSet.class)
public final class RepoCommand implements Runnable {
  static final String ORG_HELP = "The organization (default).";
  static final String REPO_HELP = "The repository: HOST/OWNER/NAME.";
  private static final int MOST_MINUTES = 24 * 60;

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
      name = "connect",
      mixinStandardHelpOptions = true,
      description =
          "Connect a repository to its git repository, or change how it is connected. Pull request"
              + " N is refs/pull/N/head there.")
  void connect(
      @Mixin DatabaseOptions options,
      @Option(names = "--org", defaultValue = "default", description = ORG_HELP) String org,
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo,
      @Parameters(
              paramLabel = "ADDRESS",
              description = "A path, or an http(s) or ssh address. A password in it is encrypted.")
          String address,
      @Option(
              names = "--test-command",
              paramLabel = "COMMAND",
              description =
                  "Run by a shell in a clean checkout of each test branch; its end is the status"
                      + " mainstay/test.")
          @Nullable String command,
      @Option(
              names = "--test-timeout",
              paramLabel = "MINUTES",
              defaultValue = "60",
              description = "When the test command is stopped (60).")
          int minutes) {
    if (minutes < 1 || minutes > MOST_MINUTES) {
      throw new Refusal("A test command may take 1 to %d minutes.".formatted(MOST_MINUTES));
    }
    RepoName name = repo(repo);
    withQueues(
        options,
        org,
        (organization, queues) -> {
          var outcome =
              queues
                  .connections()
                  .connect(
                      organization.id(),
                      name,
                      address,
                      Optional.ofNullable(command).filter(c -> !c.isBlank()),
                      Duration.ofMinutes(minutes));
          switch (outcome) {
            case Connections.Connected connected -> print(connected);
            case Connections.NotReachable not -> throw new Refusal(not.sentence());
          }
        });
  }

  private void print(Connections.Connected connected) {
    PrintWriter out = shell.out();
    out.printf("Connected %s.%n", connected.connection().repo());
    print(connected.connection());
    out.printf("Hook token, shown only now: %s%n", connected.hookToken());
    connected.warnings().forEach(sentence -> out.println("warning: " + Table.harmless(sentence)));
    out.flush();
  }

  @Command(
      name = "disconnect",
      mixinStandardHelpOptions = true,
      description =
          "Forget where a repository's code lives. Its queues wait until it is known again.")
  void disconnect(
      @Mixin DatabaseOptions options,
      @Option(names = "--org", defaultValue = "default", description = ORG_HELP) String org,
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo) {
    RepoName name = repo(repo);
    withQueues(
        options,
        org,
        (organization, queues) -> {
          if (!queues.connections().disconnect(organization.id(), name)) {
            throw notConnected(name);
          }
          shell.out().printf("Disconnected %s.%n", name);
        });
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show how a repository is connected.")
  void show(
      @Mixin DatabaseOptions options,
      @Option(names = "--org", defaultValue = "default", description = ORG_HELP) String org,
      @Parameters(paramLabel = "REPO", description = REPO_HELP) String repo) {
    RepoName name = repo(repo);
    withQueues(
        options,
        org,
        (organization, queues) ->
            print(
                queues
                    .connections()
                    .find(organization.id(), name)
                    .orElseThrow(() -> notConnected(name))));
  }

  private void print(ConnectionView connection) {
    var table = new Table("ADDRESS", "TEST COMMAND", "TIMEOUT", "LAST SEEN", "FAULT");
    table.row(
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
        .orElseThrow(() -> new Refusal("A repository is HOST/OWNER/NAME, not %s.".formatted(text)));
  }

  private static void withQueues(
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
