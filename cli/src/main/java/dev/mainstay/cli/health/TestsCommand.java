package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import java.time.Instant;
import java.util.List;
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
    subcommands = {TestsList.class, QuarantineReport.class},
    description = {
      "Tests: find them, look into one, decide about their quarantine.",
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
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show all that is known of a test.")
  void show(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    var request = options.aboutRepo().put("test_id", id.toString());
    options.ask("tests/show", request, answer -> new TestSheet(shell).print(answer));
  }

  @Command(
      name = "runs",
      mixinStandardHelpOptions = true,
      description = "List the runs of a test, the newest first.")
  void runs(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--before", paramLabel = "PLACE", description = "Go on before this place.")
          @Nullable String before,
      @Option(names = "--take", paramLabel = "N", description = "At most so many, 1 to 200 (50).")
          @Nullable Integer take) {
    var request = options.aboutRepo().put("test_id", id.toString());
    Optional.ofNullable(before).ifPresent(place -> request.put("before", place));
    Optional.ofNullable(take).ifPresent(n -> request.put("take", n));
    options.ask("tests/runs", request, this::printRuns);
  }

  private void printRuns(JsonNode answer) {
    var table = new Table("AT", "OUTCOME", "BRANCH", "COMMIT", "JOB", "UPLOAD", "MESSAGE");
    for (JsonNode run : answer.path("runs")) {
      table.row(
          run.path("at").asString(""),
          run.path("outcome").asString(""),
          run.path("branch").asString(""),
          run.path("commit").asString(""),
          run.path("job").asString(""),
          run.path("upload_id").asString(""),
          run.path("message").asString("").lines().findFirst().orElse(""));
    }
    table.print(shell);
    if (answer.has("before")) {
      shell.out().printf("There are more: --before %s%n", answer.path("before").asString(""));
    }
  }

  @Command(
      name = "days",
      mixinStandardHelpOptions = true,
      description = "Show how often a test ran and failed, by the day (UTC).")
  void days(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--days", paramLabel = "N", description = "The last N days, 1 to 90 (30).")
          @Nullable Integer days) {
    var request = options.aboutRepo().put("test_id", id.toString());
    Optional.ofNullable(days).ifPresent(n -> request.put("days", n));
    options.ask("tests/days", request, this::printDays);
  }

  private void printDays(JsonNode answer) {
    var table = Table.ofFigures(List.of("DAY", "RUNS", "FAILURES"));
    for (JsonNode day : answer.path("days")) {
      table.row(
          day.path("day").asString(""),
          day.path("runs").asString(""),
          day.path("failures").asString(""));
    }
    table.print(shell);
  }

  @Command(
      name = "quarantine",
      mixinStandardHelpOptions = true,
      description =
          "Decide about the quarantine of tests, up to 100 together, or take a decision back.")
  void quarantine(
      @Mixin ServerOptions options,
      @Parameters(
              paramLabel = "ID... always|never|none",
              hideParamSyntax = true,
              arity = "2..*",
              description = "The tests, then the decision.")
          List<String> words,
      @Option(names = "--reason", paramLabel = "TEXT", description = "Why; needed unless none.")
          @Nullable String reason,
      @Option(
              names = "--for",
              paramLabel = "PERIOD",
              description = "How long it holds: 12h, 30d (for good).")
          @Nullable String period,
      @Option(
              names = "--after-passes",
              paramLabel = "N",
              description = "It ends after so many passes in a row.")
          @Nullable Integer afterPasses,
      @Option(
              names = "--until-ticket-closed",
              description = "It ends when the ticket of the test is closed.")
          boolean untilTicketClosed) {
    var request = options.aboutRepo();
    var ids = request.putArray("test_ids");
    words.subList(0, words.size() - 1).forEach(ids::add);
    request.put(
        "setting",
        switch (words.getLast()) {
          case "always" -> "ALWAYS_QUARANTINE";
          case "never" -> "NEVER_QUARANTINE";
          case "none" -> "NONE";
          default -> throw new WrongCall("The decision is always, never or none.");
        });
    Optional.ofNullable(reason).ifPresent(text -> request.put("reason", text));
    Optional.ofNullable(period)
        .ifPresent(p -> request.put("until", "" + Instant.now().plus(Period.parse(p))));
    Optional.ofNullable(afterPasses).ifPresent(n -> request.put("after_passes", n));
    if (untilTicketClosed) {
      request.put("until_ticket_closed", true);
    }
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
