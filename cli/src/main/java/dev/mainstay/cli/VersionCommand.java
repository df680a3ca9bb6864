package dev.mainstay.cli;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.platform.BuildInfo;
import picocli.CommandLine.Command;

@Command(name = "version", description = "Print the versions of Mainstay, PostgreSQL and Java.")
final class VersionCommand implements Runnable {
  private final Shell shell;

  VersionCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    shell
        .out()
        .printf(
            "mainstay %s (embedded PostgreSQL %s, Java %s)%n",
            BuildInfo.version(), BuildInfo.postgresVersion(), Runtime.version());
  }
}
