package dev.mainstay.cli.queue;

import dev.mainstay.cli.shell.LocalGit;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.health.CiEnvironment;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description =
        "Statuses of what a queue tests, for CI systems whose statuses no forge carries. The key is"
            + " read from MAINSTAY_API_TOKEN and needs the scope queue.")
public final class StatusCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public StatusCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "report",
      mixinStandardHelpOptions = true,
      description = {
        "Say how a status stands.",
        "A CI job on a test branch gives only the name and the state: the commit and the job's"
            + " address are found."
      })
  void report(
      @Mixin QueueNameOptions server,
      @Parameters(index = "0", paramLabel = "NAME", description = "As the queue requires it.")
          String name,
      @Parameters(
              index = "1",
              paramLabel = "pending|success|failure",
              description = "How it stands. The first success or failure stays.")
          String state,
      @Option(
              names = "--sha",
              paramLabel = "SHA",
              description = "The commit of the test branch (the one that CI or git has here).")
          @Nullable String sha,
      @Option(names = "--run", paramLabel = "ID", description = "The id of the test run instead.")
          @Nullable String run,
      @Option(
              names = "--pr-sha",
              paramLabel = "SHA",
              description = "A pull request's own head commit instead, for direct merge.")
          @Nullable String head,
      @Option(
              names = "--details",
              paramLabel = "URL",
              description = "Where to read more (the CI job).")
          @Nullable String details) {
    if (!state.toLowerCase(Locale.ROOT).matches("pending|success|failure")) {
      throw new WrongCall("A status is pending, success or failure, not %s.".formatted(state));
    }
    if (Stream.of(sha, run, head).filter(given -> given != null).count() > 1) {
      throw new WrongCall("Give --sha, --run or --pr-sha: one of them.");
    }
    ObjectNode request = server.about().put("name", name).put("state", state);
    if (run != null) {
      request.put("testRunId", run);
    } else if (head != null) {
      request.putObject("pr").put("sha", head);
    } else {
      request.put("testBranchSha", sha == null ? commitHere() : sha);
    }
    Optional.ofNullable(details)
        .or(() -> ci().map(CiEnvironment::url))
        .filter(url -> !url.isEmpty())
        .ifPresent(url -> request.put("url", url));
    server.ask(
        "reportTestStatus",
        request,
        answer -> shell.out().printf("Reported %s as %s.%n", name, state));
  }

  private Optional<CiEnvironment> ci() {
    return CiEnvironment.detect(shell.environment());
  }

  private String commitHere() {
    return ci().map(CiEnvironment::commit)
        .or(() -> LocalGit.ask(shell, shell.directory(), "rev-parse", "HEAD"))
        .orElseThrow(() -> new WrongCall("The commit is not known: give it as --sha."));
  }
}
