package dev.mainstay.cli.agent;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.Shell;
import java.io.BufferedInputStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "mcp",
    mixinStandardHelpOptions = true,
    description = {
      "Speak the Model Context Protocol on standard input and output, for agents that start their"
          + " tools as programs.",
      "Messages are sent to the server, which has the tools. The key is read from"
          + " MAINSTAY_API_TOKEN: with the scope read an agent may look, with queue it may act."
    })
public final class McpCommand implements Runnable {
  private final Shell shell;

  @Option(
      names = {"--url", "--server"},
      paramLabel = "URL",
      description = "The Mainstay server (MAINSTAY_URL; http://localhost:8080).")
  private @Nullable String url;

  McpCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var client = ApiClient.of(shell, Optional.ofNullable(url), "scopes read and queue");
    var lines = new MessageLines(new BufferedInputStream(shell.in()));
    new Bridge(client, shell.out()).carry(lines);
  }
}
