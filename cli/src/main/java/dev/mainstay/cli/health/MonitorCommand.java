package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "monitor",
    mixinStandardHelpOptions = true,
    description = {
      "Monitors: what decides whether a test is flaky or broken.",
      "Works on a running server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class MonitorCommand implements Runnable {
  private static final String KINDS = "pass_on_retry, failure_rate, failure_count or bayesian.";
  private static final List<String> NOT_VALUES = List.of("kind", "monitor_id", "name", "enabled");

  private final Shell shell;
  @Spec private CommandSpec spec;

  public MonitorCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "create",
      mixinStandardHelpOptions = true,
      description = "Make a monitor. What is not given is as at first.")
  void create(
      @Mixin ServerOptions options,
      @Mixin MonitorOptions rule,
      @Parameters(paramLabel = "KIND", description = KINDS) String kind,
      @Option(names = "--name", paramLabel = "NAME", description = "What people call it (KIND).")
          @Nullable String name,
      @Option(names = "--disabled", description = "Do not switch it on yet.") boolean disabled) {
    var request = options.aboutRepo().put("kind", kind).put("enabled", !disabled);
    put(request, "name", name);
    rule.addTo(request, kind);
    options.ask("monitors/create", request, answer -> print(answer.path("monitor")));
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the monitors of a repository.")
  void list(@Mixin ServerOptions options) {
    options.ask(
        "monitors/list",
        options.aboutRepo(),
        answer -> print(answer.path("monitors").values().toArray(JsonNode[]::new)));
  }

  @Command(
      name = "set",
      mixinStandardHelpOptions = true,
      description = "Change a monitor. What is not given stays.")
  void set(
      @Mixin ServerOptions options,
      @Mixin MonitorOptions rule,
      @Parameters(paramLabel = "ID") UUID id,
      @Option(names = "--name", paramLabel = "NAME", description = "What people call it.")
          @Nullable String name,
      @Option(
              names = "--enabled",
              arity = "1",
              paramLabel = "true|false",
              description = "Switch it on or off.")
          @Nullable Boolean enabled) {
    var request = options.aboutRepo().put("monitor_id", id.toString());
    put(request, "name", name);
    if (enabled != null) {
      request.put("enabled", enabled);
    }
    if (!rule.isEmpty()) {
      rule.addTo(request, kindOf(options, id.toString()));
    }
    options.ask("monitors/set", request, answer -> print(answer.path("monitor")));
  }

  @Command(name = "delete", mixinStandardHelpOptions = true, description = "Delete a monitor.")
  void delete(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    options.ask(
        "monitors/delete",
        options.aboutRepo().put("monitor_id", id.toString()),
        answer -> shell.out().printf("Deleted monitor %s.%n", id));
  }

  @Command(
      name = "mute",
      mixinStandardHelpOptions = true,
      description = "Mute a monitor for one test, for a time.")
  void mute(
      @Mixin ServerOptions options,
      @Parameters(paramLabel = "ID") UUID id,
      @Parameters(paramLabel = "TEST") UUID test,
      @Option(
              names = "--for",
              paramLabel = "PERIOD",
              defaultValue = "7d",
              description = "How long: 12h, 7d (7d).")
          String period,
      @Option(names = "--off", description = "End the mute.") boolean off) {
    var request =
        options.aboutRepo().put("monitor_id", id.toString()).put("test_id", test.toString());
    if (!off) {
      request.put("until", Instant.now().plus(Period.parse(period)).toString());
    }
    shell.variable("USER").ifPresent(user -> request.put("by", user));
    options.ask(
        "monitors/mute",
        request,
        answer ->
            shell
                .out()
                .println(
                    off
                        ? "The monitor is not muted for this test."
                        : "Muted for this test until %s."
                            .formatted(request.path("until").asString())));
  }

  @Command(
      name = "preview",
      mixinStandardHelpOptions = true,
      description = "What would a monitor flag now? Nothing is changed.")
  void preview(
      @Mixin ServerOptions options,
      @Mixin MonitorOptions rule,
      @Parameters(
              paramLabel = "KIND|ID",
              description = "A kind of monitor, or the id of one that is there.")
          String which) {
    var request = options.aboutRepo();
    boolean isKind = !which.matches("[0-9a-fA-F-]{36}");
    request.put(isKind ? "kind" : "monitor_id", which);
    if (!rule.isEmpty()) {
      rule.addTo(request, isKind ? which : kindOf(options, which));
    }
    options.ask("monitors/preview", request, this::printPreview);
  }

  /** The kind of a monitor that is there; nothing for one that is not, which the server says. */
  private static String kindOf(ServerOptions options, String id) {
    return options
        .client()
        .post("monitors/list", options.aboutRepo())
        .path("monitors")
        .valueStream()
        .filter(monitor -> monitor.path("monitor_id").asString("").equalsIgnoreCase(id))
        .map(monitor -> monitor.path("kind").asString(""))
        .findFirst()
        .orElse("");
  }

  private void printPreview(JsonNode answer) {
    shell
        .out()
        .printf(
            "Of %s%d tests with anything to look at, it would call %d flaky and %d broken.%n",
            answer.path("complete").asBoolean() ? "" : "the first ",
            answer.path("looked").asInt(),
            answer.path("flaky").asInt(),
            answer.path("broken").asInt());
    var table = new Table("STATUS", "TEST", "NAME", "REASON");
    for (JsonNode example : answer.path("examples")) {
      table.row(
          example.path("status").asString(""),
          example.path("test_id").asString(""),
          example.path("name").asString(""),
          example.path("reason").asString(""));
    }
    if (!answer.path("examples").isEmpty()) {
      table.print(shell);
    }
  }

  private void print(JsonNode... monitors) {
    var table = new Table("ID", "NAME", "KIND", "ON", "VALUES");
    for (JsonNode monitor : monitors) {
      table.row(
          monitor.path("monitor_id").asString(""),
          monitor.path("name").asString(""),
          monitor.path("kind").asString(""),
          monitor.path("enabled").asBoolean() ? "yes" : "no",
          monitor.properties().stream()
              .filter(e -> !NOT_VALUES.contains(e.getKey()))
              .map(e -> e.getKey() + "=" + shown(e.getValue()))
              .collect(Collectors.joining(" ")));
    }
    table.print(shell);
  }

  private static String shown(JsonNode value) {
    return value.isArray() ? value.toString() : value.asString("");
  }

  private static void put(ObjectNode request, String field, @Nullable String value) {
    if (value != null) {
      request.put(field, value);
    }
  }
}
