package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.server.platform.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tickets",
    mixinStandardHelpOptions = true,
    description = {
      "Tickets of other systems that tests are linked to.",
      "Works on a running server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class TicketsCommand implements Runnable {
  private static final String FORM = "Such as KEY-123.";

  private final Shell shell;
  @Spec private CommandSpec spec;

  public TicketsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show the tests that a ticket is linked to, in all repositories.")
  void show(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "TICKET", description = FORM) String ticket) {
    var request = Json.object().put("external_ticket_id", ticket);
    options.ask("tickets/get", request, this::print);
  }

  private void print(JsonNode answer) {
    JsonNode ticket = answer.path("ticket");
    shell
        .out()
        .printf(
            "%s  %s  %s%n",
            ticket.path("id").asString(""),
            ticket.path("state").asString("state unknown"),
            Table.harmless(ticket.path("html_url").asString("")));
    var table = new Table("REPO", "ID", "STATUS", "QUARANTINED", "NAME", "FILE");
    for (JsonNode test : answer.path("tests")) {
      table.row(
          RepoSummary.name(test.path("repo")),
          test.path("id").asString(""),
          test.path("status").path("value").asString(""),
          test.path("quarantined").asBoolean() ? "yes" : "no",
          test.path("name").asString(""),
          test.path("file_path").asString(""));
    }
    table.print(shell);
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = "Say whether a ticket is open or closed.")
  void set(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "TICKET", description = FORM) String ticket,
      @Parameters(paramLabel = "open|closed") String state) {
    if (!state.equals("open") && !state.equals("closed")) {
      throw new WrongCall("A ticket is open or closed.");
    }
    options.ask(
        "tickets/set",
        Json.object().put("external_ticket_id", ticket).put("state", state),
        answer ->
            shell
                .out()
                .printf(
                    "%s is %s.%n",
                    answer.path("ticket").path("external_ticket_id").asString(""),
                    answer.path("ticket").path("state").asString("")));
  }
}
