package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "list",
    mixinStandardHelpOptions = true,
    description = "List tests by a part of their name, by their status, owner, file or ticket.")
final class TestsList implements Runnable {
  private final Shell shell;
  @Mixin private ServerOptions options;

  @Parameters(
      paramLabel = "TEXT",
      arity = "0..1",
      description = "A part of the name, the class or the file.")
  private @Nullable String search;

  @Option(names = "--status", paramLabel = "STATUS", description = "healthy, flaky or broken.")
  private @Nullable String status;

  @Option(names = "--owner", paramLabel = "OWNER", description = "Such as @acme/shop.")
  private @Nullable String owner;

  @Option(
      names = "--quarantined",
      arity = "1",
      paramLabel = "true|false",
      description = "Only those that are quarantined now, or that are not.")
  private @Nullable Boolean quarantined;

  @Option(
      names = "--file",
      paramLabel = "PATH",
      description = "A part of the file's path, or a pattern of it: * any characters, ? one.")
  private @Nullable String file;

  @Option(names = "--ticket", paramLabel = "TICKET", description = "Linked to it: KEY-123.")
  private @Nullable String ticket;

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      description = "id, failed_last or failure_rate (id).")
  private @Nullable String order;

  @Option(names = "--after", paramLabel = "PLACE", description = "Go on after this place.")
  private @Nullable String after;

  TestsList(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    var request = options.aboutRepo();
    put(request, "search", search);
    put(request, "status", status);
    put(request, "owner", owner);
    put(request, "file", file);
    put(request, "ticket", ticket);
    put(request, "order", order);
    put(request, "after", after);
    if (quarantined != null) {
      request.put("quarantined", quarantined);
    }
    options.ask("tests/list", request, this::print);
  }

  private static void put(ObjectNode request, String field, @Nullable String value) {
    Optional.ofNullable(value).ifPresent(text -> request.put(field, text));
  }

  private void print(JsonNode answer) {
    TestTable.of(answer.path("tests")).print(shell);
    JsonNode counts = answer.path("counts");
    shell
        .out()
        .printf(
            "Of all %d tests %d are flaky, %d broken and %d quarantined; %d failed within 24 hours.%n",
            counts.path("total").asInt(),
            counts.path("flaky").asInt(),
            counts.path("broken").asInt(),
            counts.path("quarantined").asInt(),
            counts.path("failed_24h").asInt());
    if (answer.has("after")) {
      shell.out().printf("There are more: --after %s%n", answer.path("after").asString(""));
    }
  }
}
