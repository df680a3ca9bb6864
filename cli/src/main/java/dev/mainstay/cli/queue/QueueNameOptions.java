package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The server to ask, and the queue to ask about. */
final class QueueNameOptions extends ServerOptions {
  @Option(
      names = "--branch",
      paramLabel = "BRANCH",
      defaultValue = "main",
      description = "The branch the queue merges into (main).")
  private String branch;

  public QueueNameOptions(Shell shell) {
    super(shell);
  }

  /** The repository and the branch, as every request about a queue names them. */
  ObjectNode about() {
    return aboutRepo().put("targetBranch", branch);
  }

  /** The same, and a pull request. */
  ObjectNode about(int number) {
    var about = about();
    about.putObject("pr").put("number", number);
    return about;
  }
}
