package dev.mainstay.cli.admin;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.server.platform.Json;
import java.util.UUID;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
    name = "people",
    mixinStandardHelpOptions = true,
    description = {
      "People who sign in to the pages of the key's organization.",
      "Calls a server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class PeopleCommand implements Runnable {
  private static final int MOST_PEOPLE = 10_000;

  private final Shell shell;
  @Spec private CommandSpec spec;

  public PeopleCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description =
          "List who was signed in by the identity provider, and by which keys somebody is now.")
  void list(@Mixin ServerOptions server) {
    server.print(
        server.client().pages("people/list", Json.object(), "people", MOST_PEOPLE), this::print);
  }

  @Command(
      name = "sign-out",
      mixinStandardHelpOptions = true,
      description = "End all sessions of a person, on every node; or those of a key.")
  void signOut(
      @Mixin ServerOptions server,
      @Option(names = "--key", description = "ID is that of a key.") boolean key,
      @Parameters(paramLabel = "ID", description = "As `people list` shows it.") UUID id) {
    server.ask(
        "people/sign-out",
        Json.object().put(key ? "key_id" : "person_id", id.toString()),
        answer -> shell.out().printf("Ended sessions: %d%n", answer.path("ended").asInt()));
  }

  private void print(JsonNode answer) {
    if (answer.path("people").isEmpty() && answer.path("keys").isEmpty()) {
      shell.out().println("Nobody has signed in yet.");
      return;
    }
    var table = new Table("ID", "WHO", "ROLE", "LAST SEEN", "SESSIONS");
    for (JsonNode person : answer.path("people")) {
      String name = person.path("name").asString();
      table.row(
          person.path("id").asString(),
          person.has("email") ? name + " <" + person.path("email").asString() + ">" : name,
          person.path("role").asString(),
          person.path("last_seen_at").asString(),
          person.path("open_sessions").asString());
    }
    for (JsonNode key : answer.path("keys")) {
      table.row(
          key.path("key_id").asString(),
          "key " + key.path("name").asString(),
          "-",
          key.path("last_seen_at").asString(),
          key.path("open_sessions").asString());
    }
    table.print(shell);
  }
}
