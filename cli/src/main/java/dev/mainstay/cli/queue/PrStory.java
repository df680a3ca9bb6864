package dev.mainstay.cli.queue;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "story",
    mixinStandardHelpOptions = true,
    description =
        "Tell all that happened to a pull request in a queue: each submission, newest first, with"
            + " every state it came into, why, and by which test run.")
final class PrStory implements Runnable {
  private final Shell shell;
  @Mixin private QueueNameOptions server;

  @Parameters(paramLabel = "NUMBER")
  private int number;

  PrStory(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    server.ask("getPullRequestHistory", server.about(number), this::print);
  }

  private void print(JsonNode story) {
    String title = story.at("/pullRequest/prTitle").asString();
    shell.out().println(Table.harmless("#%d %s".formatted(number, title).stripTrailing()));
    for (JsonNode submission : story.path("submissions")) {
      shell.out().println();
      shell
          .out()
          .println(
              "%s: %s, submitted %s"
                  .formatted(
                      submission.path("id").asString(),
                      submission.path("state").asString(),
                      submission.path("submittedAt").asString()));
      print(submission.path("transitions"), new Table("AT", "STATE", "TEST RUN", "WHY"));
    }
  }

  private void print(JsonNode transitions, Table table) {
    for (JsonNode transition : transitions) {
      table.row(
          transition.path("at").asString(),
          transition.path("state").asString(),
          transition.path("testRunId").asString("-"),
          transition.at("/reason/message").asString());
    }
    table.print(shell);
  }
}
