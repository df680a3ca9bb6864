package dev.mainstay.cli.queue;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.Period;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Screen;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
import dev.mainstay.cli.shell.WrongCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
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
    name = "pr",
    mixinStandardHelpOptions = true,
    description =
        "Pull requests in a merge queue of a server. The key is read from MAINSTAY_API_TOKEN and"
            + " needs the scopes queue and read.",
    subcommands = {PrList.class, PrStory.class})
public final class PrCommand implements Runnable {
  private static final Duration FOLLOW_EVERY = Duration.ofSeconds(1);
  private static final String NUMBER = "NUMBER";

  private final Shell shell;
  @Spec private CommandSpec spec;

  public PrCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "submit",
      mixinStandardHelpOptions = true,
      description = "Submit a pull request, or change its priority where it is in the queue.")
  void submit(
      @Mixin QueueNameOptions server,
      @Parameters(paramLabel = NUMBER) int number,
      @Option(
              names = "--priority",
              paramLabel = "PRIORITY",
              description = "urgent, high, medium, low, or 0 to 255 (medium).")
          @Nullable String priority,
      @Option(names = "--no-batch", description = "Test it in a group of its own.")
          boolean noBatch) {
    ObjectNode request = server.about(number);
    if (priority != null) {
      request.put("priority", priority);
    }
    if (noBatch) {
      request.put("noBatch", true);
    }
    server.ask("submitPullRequest", request, this::print);
  }

  @Command(
      name = "cancel",
      mixinStandardHelpOptions = true,
      description = "Take a pull request out of the queue.")
  void cancel(@Mixin QueueNameOptions server, @Parameters(paramLabel = NUMBER) int number) {
    ask(server, "cancelPullRequest", number, "Cancelled #%d.");
  }

  @Command(
      name = "restart",
      mixinStandardHelpOptions = true,
      description = "Run a pull request's tests again, in its place.")
  void restart(@Mixin QueueNameOptions server, @Parameters(paramLabel = NUMBER) int number) {
    ask(server, "restartTestsOnPullRequest", number, "The tests of #%d begin again.");
  }

  @Command(
      name = "status",
      mixinStandardHelpOptions = true,
      description = "Show where a pull request stands, and why.")
  void status(@Mixin QueueNameOptions server, @Parameters(paramLabel = NUMBER) int number) {
    ObjectNode pr = server.client().post("getSubmittedPullRequest", server.about(number));
    server.print(pr, this::print);
    if (!server.json() && hasFailed(pr)) {
      report(server, number);
    }
  }

  @Command(
      name = "logs",
      mixinStandardHelpOptions = true,
      description =
          "Print what the test command of a pull request's last run has printed, also while it"
              + " runs.")
  void logs(
      @Mixin QueueNameOptions server,
      @Parameters(paramLabel = NUMBER) int number,
      @Option(
              names = "--run",
              paramLabel = "ID",
              description = "Another run, by its testRunId (the last).")
          @Nullable String run,
      @Option(
              names = "--lines",
              paramLabel = "N",
              description = "Only so many of the last lines, at most 10000 (all).")
          @Nullable Integer lines,
      @Option(names = "--follow", description = "Go on until the command has ended.")
          boolean follow) {
    ObjectNode request = run == null ? server.about(number) : server.about();
    if (run != null) {
      request.put("testRunId", run);
    }
    if (lines != null) {
      request.put("lines", lines);
    }
    if (server.json()) {
      server.ask("getTestRunLog", request, answer -> {});
    } else if (follow) {
      new PrLogs(server.client(), shell.out()).follow(request, FOLLOW_EVERY);
    } else {
      new PrLogs(server.client(), shell.out()).print(request);
    }
  }

  @Command(
      name = "watch",
      mixinStandardHelpOptions = true,
      description = {
        "Follow a pull request until it has left the queue, or waits for what only a person can"
            + " mend; exit with 0 when it merged, else 1.",
        "A terminal shows a live view, a pipe gets a line for every change."
      })
  int watch(
      @Mixin QueueNameOptions server,
      @Parameters(paramLabel = NUMBER) int number,
      @Option(
              names = "--interval",
              paramLabel = "MILLISECONDS",
              defaultValue = "1000",
              description = "How long to wait before asking again (1000).")
          long interval,
      @Option(
              names = "--timeout",
              paramLabel = "PERIOD",
              description = "How long to watch at most: 90s, 30m, 6h (for ever).")
          @Nullable String timeout) {
    var screen = Screen.of(shell);
    return new PrWatch(server.client(), server.about(number), server.json(), screen)
        .run(
            Duration.ofMillis(Math.max(1, interval)),
            Optional.ofNullable(timeout).map(Period::parse));
  }

  @Command(
      name = "targets",
      mixinStandardHelpOptions = true,
      description = "Say which targets a pull request touches.")
  void targets(
      @Mixin QueueNameOptions server,
      @Parameters(index = "0", paramLabel = NUMBER) int number,
      @Parameters(index = "1..*", arity = "0..*", paramLabel = "TARGET", description = "Targets.")
          @Nullable List<String> targets,
      @Option(names = "--all", description = "It touches everything.") boolean all,
      @Option(names = "--none", description = "It touches nothing.") boolean none,
      @Option(
              names = "--file",
              paramLabel = "FILE",
              description = "Read the targets from here, one a line; - is standard input.")
          @Nullable Path file,
      @Option(
              names = "--sha",
              paramLabel = "SHA",
              description = "The head commit they are for (the one the forge shows).")
          @Nullable String sha) {
    ObjectNode request = server.about(number);
    if (sha != null) {
      ((ObjectNode) request.path("pr")).put("sha", sha);
    }
    boolean named = targets != null || file != null;
    if (Stream.of(all, none, named).filter(said -> said).count() != 1) {
      throw new WrongCall("Give targets, or --file, or --all, or --none: one of them.");
    }
    if (all) {
      request.put("impactedTargets", "ALL");
    } else {
      var list = request.putArray("impactedTargets");
      Stream.concat(
              targets == null ? Stream.empty() : targets.stream(),
              file == null ? Stream.empty() : lines(file).stream())
          .forEach(list::add);
    }
    server.ask("setImpactedTargets", request, tell("Set the targets of #%d.", number));
  }

  private List<String> lines(Path file) {
    try {
      String text =
          file.toString().equals("-")
              ? new String(shell.in().readAllBytes(), StandardCharsets.UTF_8)
              : Files.readString(shell.resolve(file));
      return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    } catch (IOException e) {
      throw new Refusal("%s cannot be read: %s".formatted(file, e.getMessage()));
    }
  }

  private void ask(QueueNameOptions server, String operation, int number, String sentence) {
    server.print(server.client().post(operation, server.about(number)), tell(sentence, number));
  }

  private Consumer<ObjectNode> tell(String sentence, int number) {
    return answer -> shell.out().println(sentence.formatted(number));
  }

  private static boolean hasFailed(ObjectNode pr) {
    return List.of("FAILED", "PENDING_FAILURE").contains(pr.path("state").asString());
  }

  private void report(QueueNameOptions server, int number) {
    try {
      RunReport.of(server.client(), server.about(number), RunReport.USUAL_LINES)
          .forEach(shell.out()::println);
      shell.out().flush();
    } catch (ApiClient.Unreachable e) {
      throw new Refusal(String.valueOf(e.getMessage()));
    }
  }

  private void print(ObjectNode pr) {
    PullRequestTable.of(pr.arrayNode().add(pr)).print(shell);
    for (JsonNode sentence : pr.at("/readiness/waitingFor")) {
      shell.out().println("waits: " + Table.harmless(sentence.asString()));
    }
    PullRequestTable.future(pr).forEach(shell.out()::println);
  }
}
