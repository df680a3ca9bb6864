package dev.mainstay.cli;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.Config;
import dev.mainstay.server.platform.BuildInfo;
import dev.mainstay.server.platform.LastWords;
import dev.mainstay.server.platform.StartFailure;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command line. Exit codes: 0 done, 1 it could not be done, 2 wrongly called. */
@Command(
    name = "mainstay",
    description = "Keeps a team's main branch standing: merge queues and test health.",
    versionProvider = Main.Version.class,
    mixinStandardHelpOptions = true,
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
    return commandLine(shell, args)
        .setOut(shell.out())
        .setErr(shell.err())
        .setUsageHelpAutoWidth(shell.isTerminal())
        .setParameterExceptionHandler(WrongCalls::explain)
        .setExecutionExceptionHandler(
            (e, commandLine, parsed) -> {
              explain(e, commandLine.getErr());
              return e instanceof Config.Invalid || e instanceof WrongCall ? 2 : 1;
            })
        .execute(args);
  }

  /** All that is needed to understand these arguments. */
  static CommandLine commandLine(Shell shell, String... args) {
    var factory = new CommandFactory(shell);
    return Converters.addTo(Commands.addTo(new CommandLine(new Main(), factory), factory, args));
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
