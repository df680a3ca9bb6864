package dev.mainstay.cli.admin;

import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.server.Config;
import dev.mainstay.server.Storage;
import dev.mainstay.server.access.Access;
import dev.mainstay.server.access.Organization;
import dev.mainstay.server.connection.ConnectionView;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Logs;
import dev.mainstay.server.queue.MergeQueues;
import dev.mainstay.server.queue.Queues;
import java.util.function.BiConsumer;
import tools.jackson.databind.node.ObjectNode;

/** Repositories as commands name them, work on them and show them. */
final class Repositories {
  static final String HELP = "The repository: HOST/OWNER/NAME.";

  private Repositories() {}

  static ObjectNode json(ConnectionView connection) {
    var answer = Json.object();
    answer
        .putObject("repo")
        .put("host", connection.repo().host())
        .put("owner", connection.repo().owner())
        .put("name", connection.repo().name());
    answer.put("kind", connection.kind());
    answer.put("address", connection.address());
    connection.testCommand().ifPresent(command -> answer.put("testCommand", command));
    answer.put("testTimeoutMinutes", connection.testTimeout().toMinutes());
    answer.put("connectedAt", connection.connectedAt().toString());
    connection.lastSeenAt().ifPresent(time -> answer.put("lastSeenAt", time.toString()));
    connection.fault().ifPresent(fault -> answer.put("fault", fault));
    return answer;
  }

  static void print(ConnectionView connection, Shell shell) {
    var table = new Table("KIND", "ADDRESS", "TEST COMMAND", "TIMEOUT", "LAST SEEN", "FAULT");
    table.row(
        connection.kind(),
        connection.address(),
        connection.testCommand().orElse("-"),
        connection.testTimeout().toMinutes() + "m",
        connection.lastSeenAt().map(Object::toString).orElse("never"),
        connection.fault().orElse("-"));
    table.print(shell);
  }

  static RepoName repo(String text) {
    return RepoName.parse(text)
        .orElseThrow(
            () -> new WrongCall("A repository is HOST/OWNER/NAME, not %s.".formatted(text)));
  }

  static void withQueues(
      DatabaseOptions options, String org, BiConsumer<Organization, Queues> work) {
    Config config = options.config();
    Logs.configure(config.logFormat(), "WARN");
    try (var storage = Storage.ofCommand(config);
        var rooms =
            new MergeQueues(
                storage.database(),
                storage.clock(),
                config.dataDirectory().resolve("work"),
                config.reach())) {
      work.accept(organization(storage, org), rooms.queues());
    }
  }

  static Organization organization(Storage storage, String slug) {
    return new Access(storage.database(), storage.clock())
        .organization(slug)
        .orElseThrow(() -> OrgCommand.unknown(slug));
  }
}
