package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WorkLine;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.Storage;
import dev.mainstay.server.cluster.Distribution;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "database",
    mixinStandardHelpOptions = true,
    description = "The database itself: spread it over several servers.")
public final class DatabaseCommand implements Runnable {
  private static final int MOST_SHARDS = 1024;

  private final Shell shell;
  @Spec private CommandSpec spec;

  public DatabaseCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "distribute",
      mixinStandardHelpOptions = true,
      description = {
        "Spread the tables of test results over the workers of a Citus cluster, by the repository."
            + " The database is that of the coordinator, with the extension citus and its workers"
            + " named; every node of Mainstay is stopped. What is stored is moved along.",
        "It may be broken off and given again: tables that are spread are left as they are."
      })
  void distribute(
      @Mixin AdminOptions options,
      @Option(
              names = "--shards",
              paramLabel = "NUMBER",
              defaultValue = "32",
              description =
                  "In how many parts each table is spread: as many workers can share them at most"
                      + " (${DEFAULT-VALUE}).")
          int shards) {
    if (shards < 1 || shards > MOST_SHARDS) {
      throw new WrongCall("--shards is a number from 1 to %d.".formatted(MOST_SHARDS));
    }
    Logs.configure(options.config().logFormat(), "WARN");
    try (var storage = Storage.ofCommand(options.config());
        var line = new WorkLine(shell)) {
      Distribution.Done done =
          Distribution.distribute(
              storage.database(),
              shards,
              (table, number, tables) ->
                  line.say("table %d of %d: %s".formatted(number, tables, table)));
      line.clear();
      var answer = Json.object().put("shards", done.shards());
      done.workers().forEach(answer.putArray("workers")::add);
      done.spread().forEach(answer.putArray("spread")::add);
      options.answer(
          answer,
          () ->
              shell
                  .out()
                  .printf(
                      "%s in %d parts over %s.%n",
                      done.spread().isEmpty()
                          ? "All tables of results were spread before,"
                          : "Spread %d tables of results".formatted(done.spread().size()),
                      done.shards(),
                      String.join(", ", done.workers())));
    } catch (Distribution.Refused e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    } catch (Database.Unavailable | Database.Busy e) {
      throw new Refusal(
          "The database did not go along: %s. What is spread stays so; give the command again."
              .formatted(e.getMessage()));
    }
  }
}
