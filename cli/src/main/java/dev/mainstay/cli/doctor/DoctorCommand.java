package dev.mainstay.cli.doctor;

import dev.mainstay.cli.admin.AdminOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WorkLine;
import dev.mainstay.server.Config;
import dev.mainstay.server.Config.Setting;
import dev.mainstay.server.Storage;
import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.platform.Database;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.platform.Migrations;
import dev.mainstay.server.platform.StartFailure;
import dev.mainstay.server.queue.MergeQueues;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
    name = "doctor",
    mixinStandardHelpOptions = true,
    description = {
      "Look at all that the service stands on: disks, programs, sandbox, database, clocks, keys,"
          + " queues, forges, and the service itself, whether it runs or not. Changes nothing.",
      "Each line begins with ok, warn or fail, and says what to do. Exits with 1 where something"
          + " fails. Give it the options and variables that the service has."
    })
public final class DoctorCommand implements Callable<Integer> {
  private final Shell shell;
  @Mixin private AdminOptions options;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port that the service listens on (MAINSTAY_PORT; 8080).")
  private @Nullable String port;

  @Option(names = "--offline", description = "Ask no forge: what was last seen of them is told.")
  private boolean offline;

  private final List<Symptom> symptoms = new ArrayList<>();

  public DoctorCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    var given = options.given();
    if (port != null) {
      given.put(Setting.PORT, port);
    }
    Config config = Config.read(given, shell.environment());
    // Whatever is worth a line in the log is worth a finding here.
    Logs.configure(config.logFormat(), "ERROR");
    try (var line = new WorkLine(shell)) {
      line.say("looking ...");
      look("programs", () -> ProgramsLook.findings(shell));
      look("disk", () -> DiskLook.findings(config));
      look("sandbox", () -> SandboxLook.findings(config));
      look("secrets", () -> SecretsLook.findings(config));
      look("service", () -> ServiceLook.findings(config));
      look("database", () -> database(config, line));
    }
    return tell();
  }

  private void look(String area, Supplier<List<Finding>> findings) {
    List<Finding> found;
    try {
      found = findings.get();
    } catch (StartFailure e) {
      found =
          List.of(
              Finding.missing(
                  String.valueOf(e.getMessage()),
                  area.equals("database")
                      ? "Clocks, keys, queues and forges were not looked at."
                      : ""));
    } catch (Database.Unavailable e) {
      found =
          List.of(
              Finding.missing(
                  "The database does not answer: %s".formatted(e.getMessage()),
                  "See that it runs, and look again."));
    }
    found.forEach(finding -> symptoms.add(new Symptom(area, finding)));
  }

  private List<Finding> database(Config config, WorkLine line) {
    try (var storage = Storage.asItIs(config)) {
      Database database = storage.database();
      List<Finding> findings = DatabaseLook.findings(config, database);
      look("clock", () -> ClockLook.findings(database));
      if (database.schema() == Migrations.newest()) {
        inTables(config, storage, line);
      } else {
        look(
            "keys",
            () ->
                List.of(
                    Finding.advice(
                        "Keys, queues and forges were not looked at, since the tables are of another version.",
                        "Look again after the next start of `mainstay serve`.")));
      }
      return findings;
    }
  }

  private void inTables(Config config, Storage storage, WorkLine line) {
    try (var rooms =
        new MergeQueues(
            storage.database(),
            storage.clock(),
            config.dataDirectory().resolve("work"),
            config.reach())) {
      var scene = new Scene(storage, rooms);
      look("keys", () -> KeysLook.findings(scene));
      look("queues", () -> QueuesLook.findings(scene));
      line.say("asking forges ...");
      look("forges", () -> ForgesLook.findings(scene, offline));
    }
  }

  private int tell() {
    boolean ok = symptoms.stream().noneMatch(Symptom::fails);
    var answer = Json.object().put("ok", ok);
    var list = answer.putArray("findings");
    for (Symptom one : symptoms) {
      var entry = list.addObject();
      entry.put("area", one.area()).put("level", one.level()).put("message", one.sentence());
      one.mend().ifPresent(mend -> entry.put("mend", mend));
    }
    options.answer(
        answer,
        () ->
            symptoms.forEach(
                one ->
                    shell
                        .out()
                        .printf(
                            "%-4s  %-8s  %s%n",
                            one.level(), one.area(), Table.harmless(one.line()))));
    return ok ? 0 : 1;
  }
}
