package dev.mainstay.cli.admin;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = {
      "List the repositories of the key's organization, or with --repo that one.",
      "Calls a server; the key is read from MAINSTAY_API_TOKEN."
    })
final class RepoList implements Runnable {
  private static final int MOST_REPOSITORIES = 10_000;

  private final Shell shell;
  @Mixin private ServerOptions server;

  RepoList(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    server.print(
        server
            .client()
            .pages("repositories/list", server.aboutGivenRepo(), "repositories", MOST_REPOSITORIES),
        this::print);
  }

  private void print(JsonNode answer) {
    if (answer.path("repositories").isEmpty()) {
      shell.out().println("There is none: the first upload, queue or connection makes it.");
      return;
    }
    var table = new Table("REPO", "CONNECTED", "PAGES");
    for (JsonNode repository : answer.path("repositories")) {
      JsonNode repo = repository.path("repo");
      table.row(
          "%s/%s/%s"
              .formatted(
                  repo.path("host").asString(),
                  repo.path("owner").asString(),
                  repo.path("name").asString()),
          repository.path("connected").asBoolean() ? "yes" : "no",
          repository.path("public_pages").asBoolean() ? "public" : "private");
    }
    table.print(shell);
  }
}
