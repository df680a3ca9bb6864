package dev.mainstay.cli;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    description = "Print the versions of Mainstay, PostgreSQL and Java.")
final class VersionCommand implements Runnable {
  private final Shell shell;

  @Option(names = "--json", description = "Print them as JSON.")
  private boolean json;

  VersionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    if (json) {
      var versions =
          Json.object()
              .put("mainstay", BuildInfo.version())
              .put("postgresql", BuildInfo.postgresVersion())
              .put("java", Runtime.version().toString());
      shell.out().println(new String(Json.write(versions), StandardCharsets.UTF_8));
      return;
    }
    shell
        .out()
        .printf(
            "mainstay %s (embedded PostgreSQL %s, Java %s)%n",
            BuildInfo.version(), BuildInfo.postgresVersion(), Runtime.version());
  }
}
