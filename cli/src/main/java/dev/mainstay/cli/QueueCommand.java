package dev.mainstay.cli;

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
    subcommands = QueueReplay.class,
    description =
        "Merge queues of a server. The key is read from MAINSTAY_API_TOKEN and needs the scopes"
            + " queue and read.")
final class QueueCommand implements Runnable {
  private static final Set<String> NO_SETTINGS = Set.of("state", "branch", "enqueuedPullRequests");

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make a queue for a branch.")
  void create(@Mixin QueueNameOptions server, @Mixin QueueSettingOptions settings) {
    tell(server, server.client().post("createQueue", settings.addTo(server.about())));
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show a queue, its settings and everybody in it.")
  void show(@Mixin QueueNameOptions server) {
    tell(server, server.client().post("getQueue", server.about()));
  }

  @Command(name = "set", mixinStandardHelpOptions = true, description = "Change settings.")
  void set(@Mixin QueueNameOptions server, @Mixin QueueSettingOptions settings) {
    tell(server, server.client().post("updateQueue", settings.addTo(server.about())));
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
    PrintWriter out = spec.commandLine().getOut();
    out.println(server.json() ? answer.toString() : "Deleted.");
    out.flush();
  }

  private void state(QueueNameOptions server, String state) {
    tell(server, server.client().post("updateQueue", server.about().put("state", state)));
  }

  private void tell(QueueNameOptions server, ObjectNode queue) {
    PrintWriter out = spec.commandLine().getOut();
    if (server.json()) {
      out.println(queue);
    } else {
      show(out, queue);
    }
    out.flush();
  }

  private static void show(PrintWriter out, ObjectNode queue) {
    out.printf(
        "%s is %s%n%n",
        Table.harmless(queue.path("branch").asString()), queue.path("state").asString());
    var settings = new Table("SETTING", "VALUE");
    queue.forEachEntry(
        (name, value) -> {
          if (!NO_SETTINGS.contains(name)) {
            settings.row(name, text(name, value));
          }
        });
    settings.print(out);
    JsonNode enqueued = queue.path("enqueuedPullRequests");
    if (enqueued.isArray()) {
      out.println();
      if (enqueued.isEmpty()) {
        out.println("Nothing is in it.");
      } else {
        PullRequestTable.of(enqueued).print(out);
      }
    }
  }

  private static String text(String setting, JsonNode value) {
    if (value.isNull()) {
      return "as the forge requires";
    }
    if (setting.equals("requiredStatuses")) {
      return value.isEmpty()
          ? "none"
          : String.join(", ", value.valueStream().map(JsonNode::asString).toList());
    }
    return value.asString();
  }
}
