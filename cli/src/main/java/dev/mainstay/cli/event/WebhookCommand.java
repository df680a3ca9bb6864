package dev.mainstay.cli.event;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.server.platform.Json;
import java.time.Instant;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "webhook",
    mixinStandardHelpOptions = true,
    description = {
      "Endpoints that events are sent to.",
      "Works on a running server; the key is read from MAINSTAY_API_TOKEN, and needs the scope admin."
    })
public final class WebhookCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public WebhookCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make an endpoint. Its secret is shown this once.")
  void create(
      @Mixin ServerOptions options,
      @Mixin EndpointOptions endpoint,
      @Parameters(paramLabel = "URL", description = "An http or https address.") String url) {
    var request = Json.object().put("url", url);
    endpoint.addTo(request);
    options.ask("webhooks/create", request, this::printMade);
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the endpoints of the organization.")
  void list(@Mixin ServerOptions options) {
    options.ask(
        "webhooks/list",
        Json.object(),
        answer -> print(answer.path("webhooks").values().toArray(JsonNode[]::new)));
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = "Change an endpoint. What is not given stays.")
  void set(
      @Mixin ServerOptions options,
      @Mixin EndpointOptions endpoint,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--to", paramLabel = "ADDRESS", description = "Where to send to.")
          @Nullable String url,
      @Option(
              names = "--enabled",
              arity = "1",
              paramLabel = "true|false",
              description = "Switch it on or off.")
          @Nullable Boolean enabled) {
    var request = about(id);
    if (url != null) {
      request.put("url", url);
    }
    if (enabled != null) {
      request.put("enabled", enabled);
    }
    endpoint.addTo(request);
    options.ask("webhooks/set", request, answer -> print(answer.path("webhook")));
  }

  @Command(name = "delete", mixinStandardHelpOptions = true, description = "Delete an endpoint.")
  void delete(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    options.ask(
        "webhooks/delete", about(id), answer -> shell.out().printf("Deleted endpoint %s.%n", id));
  }

  @Command(
      name = "test",
      mixinStandardHelpOptions = true,
      description = "Send something to an endpoint at once, and say how it went.",
      exitCodeListHeading = "%nExit codes:%n",
      exitCodeList = {"0:it was delivered", "1:it was not"})
  int test(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    ObjectNode answer = options.client().post("webhooks/test", about(id));
    options.print(answer, a -> printTrial(a.path("attempt")));
    return answer.at("/attempt/outcome").asString("").equals("delivered") ? 0 : 1;
  }

  @Command(
      name = "rotate",
      mixinStandardHelpOptions = true,
      description = "Give an endpoint a new secret. Until the grace is over, both sign.")
  void rotate(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--grace", paramLabel = "PERIOD", description = "Such as 1h, 7d (1d).")
          @Nullable String grace) {
    var request = about(id);
    if (grace != null) {
      request.put("graceSeconds", Period.parse(grace).toSeconds());
    }
    options.ask("webhooks/rotate", request, this::printMade);
  }

  @Command(
      name = "attempts",
      mixinStandardHelpOptions = true,
      description = "List what was sent to an endpoint, the newest first.")
  void attempts(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--take", paramLabel = "N", description = "At most so many, 1 to 100 (50).")
          @Nullable Integer take) {
    var request = about(id);
    if (take != null) {
      request.put("take", take);
    }
    options.ask("webhooks/attempts", request, this::printAttempts);
  }

  /** The events to deliver once more. */
  static final class Which {
    @Option(names = "--attempt", paramLabel = "ID", description = "The event of this attempt.")
    private @Nullable UUID attempt;

    @Option(
        names = "--since",
        paramLabel = "PERIOD",
        description = "All events of this period, such as 2h, that the endpoint wants.")
    private @Nullable String since;
  }

  @Command(
      name = "replay",
      mixinStandardHelpOptions = true,
      description = "Deliver events once more, under the same ids.")
  void replay(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @ArgGroup(multiplicity = "1") Which which) {
    var request = about(id);
    if (which.attempt != null) {
      request.put("attemptId", which.attempt.toString());
    }
    if (which.since != null) {
      request.put("since", Instant.now().minus(Period.parse(which.since)).toString());
    }
    options.ask(
        "webhooks/replay",
        request,
        answer ->
            shell
                .out()
                .printf(
                    "Events that are delivered again: %d%s.%n",
                    answer.path("replayed").asInt(),
                    answer.path("complete").asBoolean() ? "" : ", and there may be more"));
  }

  private static ObjectNode about(UUID id) {
    return Json.object().put("id", id.toString());
  }

  private void printMade(JsonNode made) {
    print(made.path("webhook"));
    shell
        .out()
        .printf("%nThe secret, which is not shown again: %s%n", made.path("secret").asString(""));
  }

  private void printTrial(JsonNode attempt) {
    shell
        .out()
        .printf(
            "%s: %s%n",
            attempt.path("outcome").asString(""),
            Table.harmless(attempt.path("message").asString("")));
  }

  private void print(JsonNode... webhooks) {
    var table = new Table("ID", "NAME", "FORMAT", "STATE", "URL", "KINDS");
    for (JsonNode webhook : webhooks) {
      table.row(
          webhook.path("id").asString(""),
          webhook.path("name").asString(""),
          webhook.path("format").asString(""),
          state(webhook),
          webhook.path("url").asString(""),
          webhook
              .path("kinds")
              .valueStream()
              .map(JsonNode::asString)
              .collect(Collectors.joining(",")));
    }
    table.print(shell);
  }

  private static String state(JsonNode webhook) {
    if (webhook.has("switchedOffReason")) {
      return "switched off: " + webhook.path("switchedOffReason").asString("");
    }
    if (!webhook.path("enabled").asBoolean()) {
      return "off";
    }
    return webhook.has("failingSince")
        ? "failing since " + webhook.path("failingSince").asString("")
        : "on";
  }

  private void printAttempts(JsonNode answer) {
    var table = new Table("ID", "AT", "KIND", "TRY", "OUTCOME", "MESSAGE", "NEXT");
    for (JsonNode attempt : answer.path("attempts")) {
      table.row(
          attempt.path("id").asString(""),
          attempt.path("at").asString(""),
          attempt.path("kind").asString(""),
          attempt.path("attempt").asString(""),
          attempt.path("outcome").asString(""),
          attempt.path("message").asString(""),
          attempt.path("nextAt").asString(""));
    }
    table.print(shell);
  }
}
