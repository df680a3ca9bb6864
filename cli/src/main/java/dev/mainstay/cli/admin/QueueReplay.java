package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.queue.run.LogReplay;
import dev.mainstay.server.queue.store.QueueName;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description =
        "Play a queue's event log through the engine again and compare where that leads with what"
            + " is stored. Works on the database itself. Exit code 1 where it differs.")
public final class QueueReplay implements Callable<Integer> {
  private final Shell shell;
  @Mixin private AdminOptions options;

  @Mixin private OrgOption org;

  @Parameters(paramLabel = "REPO", description = Repositories.HELP)
  private String repo;

  @Parameters(paramLabel = "BRANCH", description = "The branch the queue is for.")
  private String branch;

  public QueueReplay(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    Config config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var storage = Storage.ofCommand(config)) {
      var name =
          new QueueName(
              Repositories.organization(storage, org.slug()).id(), Repositories.repo(repo), branch);
      LogReplay.Result result =
          new LogReplay(storage.database())
              .of(name)
              .orElseThrow(
                  () -> new Refusal("There is no queue for %s of %s.".formatted(branch, repo)));
      var answer = Json.object().put("events", result.events()).put("same", result.isSame());
      result.difference().ifPresent(difference -> answer.put("difference", difference));
      options.answer(
          answer,
          () ->
              shell
                  .out()
                  .printf(
                      "%d events played: %s%n",
                      result.events(),
                      result.difference().orElse("they lead to the state that is stored.")));
      return result.isSame() ? 0 : 1;
    }
  }
}
