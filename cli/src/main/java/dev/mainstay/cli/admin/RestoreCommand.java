package dev.mainstay.cli.admin;

import static dev.mainstay.cli.admin.BackupCommand.told;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WorkLine;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.backup.Restore;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "restore",
    mixinStandardHelpOptions = true,
    description = {
      "Put a backup into an empty data directory, or into an empty database of yours; anything else"
          + " is refused. All of it is restored or nothing.",
      "Stop the service that the backup is of before you start the restored one: two would work on"
          + " the same repositories."
    })
public final class RestoreCommand implements Runnable {
  private final Shell shell;
  @Mixin private AdminOptions options;

  @Parameters(paramLabel = "FILE", description = "What `mainstay backup` has made.")
  private Path file;

  public RestoreCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    Config config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var line = new WorkLine(shell)) {
      line.say("reading %s ...".formatted(file));
      Restore.Checked backup = told(() -> Restore.check(shell.resolve(file)));
      try (var storage = Storage.ofRestore(config)) {
        Restore.Restored restored =
            told(
                () ->
                    Restore.into(
                        storage.database(),
                        backup,
                        (table, number, tables) ->
                            line.say("table %d of %d: %s".formatted(number, tables, table))));
        line.clear();
        tell(config, backup, restored);
      }
    }
  }

  private void tell(Config config, Restore.Checked backup, Restore.Restored restored) {
    var answer =
        Json.object()
            .put("madeAt", backup.header().madeAt().toString())
            .put("schema", backup.header().schema())
            .put("tables", backup.header().tables())
            .put("rows", restored.rows());
    restored.leftOut().forEach(answer.putArray("leftOut")::add);
    options.answer(answer, () -> print(config, backup, restored));
  }

  private void print(Config config, Restore.Checked backup, Restore.Restored restored) {
    PrintWriter out = shell.out();
    out.printf(
        "Restored %,d rows of %d tables, as of %s, into %s. `mainstay serve` with the same options starts it; stop the service that the backup is of first.%n",
        restored.rows(),
        backup.header().tables(),
        backup.header().madeAt(),
        config
            .externalDatabase()
            .map(Object::toString)
            .orElseGet(() -> config.dataDirectory().toString()));
    if (!restored.leftOut().isEmpty()) {
      out.printf(
          "Left out, since they are no tables of Mainstay: %s.%n",
          String.join(", ", restored.leftOut()));
    }
  }
}
