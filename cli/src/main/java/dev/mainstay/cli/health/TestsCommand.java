package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
    name = "tests",
    mixinStandardHelpOptions = true,
    description = {
      "Tests: find them, look into one, decide about its quarantine.",
      "Works on a running server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class TestsCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public TestsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List tests by a part of their name, or by their status.")
  void list(
      @Mixin ServerOptions options,
      @Parameters(
              paramLabel = "TEXT",
              arity = "0..1",
              description = "A part of the name, the class or the file.")
          @Nullable String search,
      @Option(names = "--status", paramLabel = "STATUS", description = "healthy, flaky or broken.")
          @Nullable String status,
      @Option(names = "--after", paramLabel = "ID", description = "Go on after this test.")
          @Nullable UUID after) {
    var request = options.aboutRepo();
    Optional.ofNullable(search).ifPresent(text -> request.put("search", text));
    Optional.ofNullable(status).ifPresent(text -> request.put("status", text));
    Optional.ofNullable(after).ifPresent(id -> request.put("after", id.toString()));
    options.ask("tests/list", request, this::printList);
  }

  private void printList(JsonNode answer) {
    var table = new Table("ID", "STATUS", "QUARANTINED", "NAME", "CLASS", "FILE");
    for (JsonNode test : answer.path("tests")) {
      table.row(
          test.path("id").asString(""),
          test.path("status").path("value").asString(""),
          test.path("quarantined").asBoolean() ? "yes" : "no",
          test.path("name").asString(""),
          test.path("classname").asString(""),
          test.path("file_path").asString(""));
    }
    table.print(shell.out());
    if (answer.has("after")) {
      shell.out().printf("There are more: --after %s%n", answer.path("after").asString(""));
    }
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show all that is known of a test.")
  void show(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    var request = options.aboutRepo().put("test_id", id.toString());
    options.ask("tests/show", request, answer -> new TestSheet(shell.out()).print(answer));
  }

  @Command(
      name = "quarantine",
      mixinStandardHelpOptions = true,
      description = "Decide about a test's quarantine, or take a decision back.")
  void quarantine(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Parameters(paramLabel = "always|never|none") String setting,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why; needed unless none.")
          @Nullable String reason,
      @Option(
              names = "--for",
              paramLabel = "PERIOD",
              description = "How long it holds: 12h, 30d (for good).")
          @Nullable String period) {
    var request = options.aboutRepo().put("test_id", id.toString());
    request.put(
        "setting",
        switch (setting) {
          case "always" -> "ALWAYS_QUARANTINE";
          case "never" -> "NEVER_QUARANTINE";
          case "none" -> "NONE";
          default -> throw new WrongCall("The decision is always, never or none.");
        });
    Optional.ofNullable(reason).ifPresent(text -> request.put("reason", text));
    Optional.ofNullable(period)
        .ifPresent(p -> request.put("until", "" + Instant.now().plus(Period.parse(p))));
    shell.variable("USER").ifPresent(user -> request.put("by", user));
    options.ask(
        "tests/quarantine",
        request,
        answer -> shell.out().printf("Decided: %s.%n", request.path("setting").asString("")));
  }

  @Command(name = "link", mixinStandardHelpOptions = true, description = "Link a ticket to a test.")
  void link(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Parameters(paramLabel = "TICKET", description = "Such as KEY-123.") String ticket) {
    var request =
        options.aboutRepo().put("test_case_id", id.toString()).put("external_ticket_id", ticket);
    options.ask(
        "flaky-tests/link-ticket-to-test-case",
        request,
        answer ->
            shell
                .out()
                .printf("Linked to %s%n", answer.path("ticket").path("html_url").asString("")));
  }
}
