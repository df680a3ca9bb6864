package dev.mainstay.cli;

import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Which server to ask, and about which queue. */
final class QueueNameOptions extends ServerOptions {
  @Option(
      names = "--branch",
      paramLabel = "BRANCH",
      defaultValue = "main",
      description = "The branch the queue merges into (main).")
  private String branch;

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
