package dev.mainstay.cli;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "whoami",
    mixinStandardHelpOptions = true,
    description =
        "Say which server answers, and whose key MAINSTAY_API_TOKEN is and what it may do.")
final class WhoamiCommand implements Runnable {
  private final Shell shell;
  @Mixin private ServerOptions server;

  WhoamiCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var client = server.client();
    server.print(client.get("whoami"), caller -> print(client.server(), caller));
  }

  private void print(String address, ObjectNode caller) {
    new Table("SERVER", "ORGANIZATION", "KEY", "SCOPES")
        .row(
            address,
            caller.path("organization").asString(),
            caller.path("keyId").asString(),
            caller
                .path("scopes")
                .valueStream()
                .map(JsonNode::asString)
                .collect(Collectors.joining(",")))
        .print(shell);
  }
}
