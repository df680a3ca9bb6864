package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

@Command(
    name = "summary",
    mixinStandardHelpOptions = true,
    description = {
      "Show how the tests of the organization's repositories stand, or of one with --repo.",
      "Calls a server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class RepoSummary implements Runnable {
  private static final int MOST_REPOSITORIES = 10_000;

  private final Shell shell;
  @Mixin private ServerOptions server;

  public RepoSummary(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    server.print(
        server
            .client()
            .pages(
                "repositories/summary", server.aboutGivenRepo(), "repositories", MOST_REPOSITORIES),
        this::print);
  }

  private void print(JsonNode answer) {
    var table =
        Table.ofFigures(
            List.of(
                "REPO",
                "TESTS",
                "FLAKY",
                "BROKEN",
                "QUARANTINED",
                "FAILED 24H",
                "RUNS 14D",
                "FAILURES 14D"));
    for (JsonNode repository : answer.path("repositories")) {
      JsonNode tests = repository.path("tests");
      table.row(
          name(repository.path("repo")),
          tests.path("total").asString(""),
          tests.path("flaky").asString(""),
          tests.path("broken").asString(""),
          tests.path("quarantined").asString(""),
          tests.path("failed_24h").asString(""),
          sum(repository.path("days"), "runs"),
          sum(repository.path("days"), "failures"));
    }
    table.print(shell);
  }

  private static String sum(JsonNode days, String field) {
    return Long.toString(days.valueStream().mapToLong(day -> day.path(field).asLong()).sum());
  }

  static String name(JsonNode repo) {
    return "%s/%s/%s"
        .formatted(
            repo.path("host").asString(""),
            repo.path("owner").asString(""),
            repo.path("name").asString(""));
  }
}
