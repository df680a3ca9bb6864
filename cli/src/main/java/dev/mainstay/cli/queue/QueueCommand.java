package dev.mainstay.cli.queue;

import dev.mainstay.cli.admin.QueueReplay;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.io.PrintWriter;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "queue",
    mixinStandardHelpOptions = true,
    subcommands = {QueueList.class, QueueHealth.class, QueueReplay.class},
    description =
        "Merge queues of a server. The key is read from MAINSTAY_API_TOKEN and needs the scopes"
            + " queue and read.")
public final class QueueCommand implements Runnable {
  private static final Set<String> NO_SETTINGS =
      Set.of("state", "branch", "nextMode", "warnings", "stalled", "enqueuedPullRequests");

  private final Shell shell;
  @Spec private CommandSpec spec;

  public QueueCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make a queue for a branch.")
  void create(@Mixin QueueNameOptions server, @Mixin QueueSettingOptions settings) {
    server.print(server.client().post("createQueue", settings.addTo(server.about())), this::print);
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show a queue, its settings and everybody in it.")
  void show(@Mixin QueueNameOptions server) {
    server.print(server.client().post("getQueue", server.about()), this::print);
  }

  @Command(name = "set", mixinStandardHelpOptions = true, description = "Change settings.")
  void set(@Mixin QueueNameOptions server, @Mixin QueueSettingOptions settings) {
    server.print(server.client().post("updateQueue", settings.addTo(server.about())), this::print);
  }

  @Command(
      name = "pause",
      mixinStandardHelpOptions = true,
      description = "Let running tests finish, and start and merge nothing.")
  void pause(@Mixin QueueNameOptions server) {
    state(server, "PAUSED");
  }

  @Command(
      name = "resume",
      mixinStandardHelpOptions = true,
      description = "Let a paused or draining queue go on.")
  void resume(@Mixin QueueNameOptions server) {
    state(server, "RUNNING");
  }

  @Command(
      name = "drain",
      mixinStandardHelpOptions = true,
      description = "Let nobody in, and merge what is in it.")
  void drain(@Mixin QueueNameOptions server) {
    state(server, "DRAINING");
  }

  @Command(
      name = "delete",
      mixinStandardHelpOptions = true,
      description = "Delete a queue, which must be empty.")
  void delete(@Mixin QueueNameOptions server) {
    ObjectNode answer = server.client().post("deleteQueue", server.about());
    server.print(answer, deleted -> shell.out().println("Deleted."));
  }

  private void state(QueueNameOptions server, String state) {
    server.print(
        server.client().post("updateQueue", server.about().put("state", state)), this::print);
  }

  private void print(ObjectNode queue) {
    PrintWriter out = shell.out();
    out.printf(
        "%s is %s%s%n",
        Table.harmless(queue.path("branch").asString()),
        queue.path("state").asString(),
        queue.has("nextMode") ? ", to " + queue.path("nextMode").asString() : "");
    queue
        .path("warnings")
        .forEach(sentence -> out.println("warning: " + Table.harmless(sentence.asString())));
    if (queue.has("stalled")) {
      JsonNode stalled = queue.path("stalled");
      out.printf(
          "nothing has moved since %s: %s%n",
          stalled.path("since").asString(), Table.harmless(stalled.path("message").asString()));
    }
    out.println();
    JsonNode enqueued = queue.path("enqueuedPullRequests");
    if (enqueued.isArray()) {
      if (enqueued.isEmpty()) {
        out.println("Nothing is in it.");
      } else {
        PullRequestTable.of(enqueued).print(shell);
      }
      out.println();
    }
    printSettings(queue);
  }

  private void printSettings(ObjectNode queue) {
    var settings = new Table("SETTING", "VALUE");
    queue.forEachEntry(
        (name, value) -> {
          if (!NO_SETTINGS.contains(name)) {
            settings.row(name, text(name, value));
          }
        });
    settings.print(shell);
  }

  private static String text(String setting, JsonNode value) {
    if (value.isNull()) {
      return setting.equals("requiredStatuses") ? "as the forge requires" : "none";
    }
    if (value.isArray()) {
      return value.isEmpty()
          ? "none"
          : String.join(", ", value.valueStream().map(JsonNode::asString).toList());
    }
    return value.asString();
  }
}
