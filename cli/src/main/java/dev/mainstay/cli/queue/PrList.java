package dev.mainstay.cli.queue;

import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List what was submitted to a queue, newest first: what is in it and what ended.")
final class PrList implements Runnable {
  private static final int MOST_ROWS = 10_000;

  private final Shell shell;
  @Mixin private QueueNameOptions server;

  @Option(
      names = "--state",
      paramLabel = "STATE",
      description =
          "Only those in this state: NOT_READY, PENDING, TESTING, TESTS_PASSED, PENDING_FAILURE,"
              + " MERGED, FAILED or CANCELLED.")
  private @Nullable String state;

  @Option(
      names = "--since",
      paramLabel = "PERIOD",
      description = "Only those whose state changed in this time: 12h, 7d.")
  private @Nullable String since;

  @Option(
      names = "--until",
      paramLabel = "PERIOD",
      description = "Only those whose state changed longer ago than this: 1d.")
  private @Nullable String until;

  @Option(
      names = "--reason",
      paramLabel = "CODE",
      description =
          "Only those that are in their state, or ended, for this reason: test_failed, closed.")
  private @Nullable String reason;

  @Option(names = "--ended", description = "Only those that have ended, the last to end first.")
  private boolean ended;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "50",
      description = "At most so many (50).")
  private int limit;

  PrList(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (limit < 1 || limit > MOST_ROWS) {
      throw new WrongCall("--limit is from 1 to %d.".formatted(MOST_ROWS));
    }
    var request = server.about();
    if (state != null) {
      request.put("state", state);
    }
    if (ended) {
      request.put("ended", true);
    }
    if (reason != null) {
      request.put("reasonCode", reason);
    }
    if (since != null) {
      request.put("since", Instant.now().minus(Period.parse(since)).toString());
    }
    if (until != null) {
      request.put("until", Instant.now().minus(Period.parse(until)).toString());
    }
    server.print(
        server.client().pages("listPullRequests", request, "pullRequests", limit), this::print);
  }

  private void print(JsonNode answer) {
    if (answer.path("pullRequests").isEmpty()) {
      shell.out().println("There is none.");
      return;
    }
    PullRequestTable.of(answer.path("pullRequests")).print(shell);
    if (answer.has("nextCursor")) {
      shell.out().println("There are more: see --limit.");
    }
  }
}
