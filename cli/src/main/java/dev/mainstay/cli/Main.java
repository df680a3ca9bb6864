package dev.mainstay.cli;

import dev.mainstay.cli.admin.BackupCommand;
import dev.mainstay.cli.admin.KeysCommand;
import dev.mainstay.cli.admin.OrgCommand;
import dev.mainstay.cli.admin.PeopleCommand;
import dev.mainstay.cli.admin.RepoCommand;
import dev.mainstay.cli.admin.RestoreCommand;
import dev.mainstay.cli.admin.ServeCommand;
import dev.mainstay.cli.agent.McpCommand;
import dev.mainstay.cli.demo.DemoCommand;
import dev.mainstay.cli.doctor.DoctorCommand;
import dev.mainstay.cli.event.WebhookCommand;
import dev.mainstay.cli.github.GitHubCommand;
import dev.mainstay.cli.health.MonitorCommand;
import dev.mainstay.cli.health.TestsCommand;
import dev.mainstay.cli.health.TicketsCommand;
import dev.mainstay.cli.health.UploadsCommand;
import dev.mainstay.cli.queue.PrCommand;
import dev.mainstay.cli.queue.QueueCommand;
import dev.mainstay.cli.queue.StatusCommand;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.cli.simulate.SimulateCommand;
import dev.mainstay.cli.upload.RunTestsCommand;
import dev.mainstay.cli.upload.UploadCommand;
import dev.mainstay.server.Config;
import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.StartFailure;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** The command line. Exit codes: 0 done, 1 it could not be done, 2 wrongly called. */
@Command(
    name = "mainstay",
    description = "Keeps a team's main branch standing: merge queues and test health.",
    versionProvider = Main.Version.class,
    mixinStandardHelpOptions = true,
    subcommands = {
      ServeCommand.class,
      OrgCommand.class,
      KeysCommand.class,
      PeopleCommand.class,
      RepoCommand.class,
      GitHubCommand.class,
      DoctorCommand.class,
      BackupCommand.class,
      RestoreCommand.class,
      UploadCommand.class,
      RunTestsCommand.class,
      QueueCommand.class,
      PrCommand.class,
      StatusCommand.class,
      MonitorCommand.class,
      TestsCommand.class,
      UploadsCommand.class,
      TicketsCommand.class,
      WebhookCommand.class,
      McpCommand.class,
      SimulateCommand.class,
      DemoCommand.class,
      WhoamiCommand.class,
      VersionCommand.class,
      HelpCommand.class
    },
    footer = {
      "",
      "Try `mainstay serve`, then `curl http://localhost:8080/healthz`.",
      "`mainstay help COMMAND` tells more of one command."
    })
public final class Main {
  private Main() {}

  /** The line that {@code --version} prints. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"mainstay " + BuildInfo.version()};
    }
  }

  public static void main(String[] args) {
    LastWords.endProcess();
    System.exit(run(Shell.ofProcess(), args));
  }

  /** Runs a command as the shell calls it; gives its exit code. */
  static int run(Shell shell, String... args) {
    return commandLine(shell)
        .setOut(shell.out())
        .setErr(shell.err())
        .setParameterExceptionHandler(WrongCalls::explain)
        .setExecutionExceptionHandler(
            (e, commandLine, parsed) -> {
              explain(e, commandLine.getErr());
              return e instanceof Config.Invalid || e instanceof WrongCall ? 2 : 1;
            })
        .execute(args);
  }

  static CommandLine commandLine(Shell shell) {
    return Converters.addTo(new CommandLine(new Main(), new CommandFactory(shell)));
  }

  private static void explain(Exception e, PrintWriter err) {
    switch (e) {
      case Config.Invalid invalid -> invalid.faults().forEach(f -> err.println("mainstay: " + f));
      case StartFailure failure -> err.println("mainstay: " + failure.getMessage());
      case Refusal refusal -> err.println("mainstay: " + refusal.getMessage());
      default -> e.printStackTrace(err);
    }
    err.flush();
  }
}
