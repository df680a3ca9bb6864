package dev.mainstay.cli;

import dev.mainstay.server.platform.BuildInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(name = "version", description = "Print the versions of Mainstay, PostgreSQL and Java.")
final class VersionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine()
        .getOut()
        .printf(
            "mainstay %s (embedded PostgreSQL %s, Java %s)%n",
            BuildInfo.version(), BuildInfo.postgresVersion(), Runtime.version());
  }
}
