package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List the queues of the organization, or with --repo those of a repository.")
final class QueueList implements Runnable {
  private static final int MOST_QUEUES = 10_000;

  private final Shell shell;
  @Mixin private ServerOptions server;

  QueueList(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    server.print(
        server.client().pages("listQueues", server.aboutGivenRepo(), "queues", MOST_QUEUES),
        this::print);
  }

  private void print(JsonNode answer) {
    if (answer.path("queues").isEmpty()) {
      shell.out().println("There is no queue: see `mainstay queue create --help`.");
      return;
    }
    var table = new Table("REPO", "BRANCH", "STATE", "MODE", "IN IT");
    for (JsonNode queue : answer.path("queues")) {
      JsonNode repo = queue.path("repo");
      table.row(
          "%s/%s/%s"
              .formatted(
                  repo.path("host").asString(),
                  repo.path("owner").asString(),
                  repo.path("name").asString()),
          queue.path("branch").asString(),
          queue.path("state").asString(),
          queue.path("mode").asString(),
          queue.path("enqueuedCount").asString());
    }
    table.print(shell);
  }
}
