package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WorkLine;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.backup.BackupFault;
import dev.mainstay.server.backup.Backups;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import java.nio.file.Path;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "backup",
    mixinStandardHelpOptions = true,
    description = {
      "Write everything that is stored, as it is at one moment, into a file. Works on the database"
          + " itself, whether the service runs or not, embedded or yours.",
      "The file holds the service's secrets too: whoever has it can read passwords of repositories."
          + " Only its owner may read it. `mainstay restore` puts it back."
    })
public final class BackupCommand implements Runnable {
  private final Shell shell;
  @Mixin private AdminOptions options;

  @Parameters(paramLabel = "FILE", description = "The file to make; it must not exist.")
  private Path file;

  @Option(
      names = "--replace",
      description = "Put it in the place of an older file of this name, when it is whole.")
  private boolean replace;

  public BackupCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Config config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var storage = Storage.asItIs(config);
        var line = new WorkLine(shell)) {
      Backups.Made made =
          told(
              () ->
                  Backups.make(
                      storage.database(),
                      shell.resolve(file),
                      replace,
                      (table, number, tables) ->
                          line.say("table %d of %d: %s".formatted(number, tables, table))));
      line.clear();
      var answer =
          Json.object()
              .put("file", file.toString())
              .put("madeAt", made.header().madeAt().toString())
              .put("schema", made.header().schema())
              .put("tables", made.header().tables())
              .put("rows", made.rows())
              .put("bytes", made.bytes());
      options.answer(
          answer,
          () ->
              shell
                  .out()
                  .printf(
                      "Backed up %,d rows of %d tables, as of %s, into %s (%,d bytes). It holds secrets: keep it as you keep passwords.%n",
                      made.rows(),
                      made.header().tables(),
                      made.header().madeAt(),
                      file,
                      made.bytes()));
    }
  }

  /** What went wrong with a backup, as a sentence. */
  static <T> T told(Supplier<T> work) {
    try {
      return work.get();
    } catch (BackupFault e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    } catch (Database.Busy e) {
      throw new Refusal(
          "Others hold the database, such as a node that changes its tables: try again. (%s)"
              .formatted(e.getMessage()));
    } catch (Database.Unavailable e) {
      throw new Refusal("The database went away in the middle: %s".formatted(e.getMessage()));
    }
  }
}
