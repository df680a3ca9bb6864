package dev.mainstay.cli.health;

import dev.mainstay.cli.api.ServerOptions;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.Table;
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
    name = "uploads",
    mixinStandardHelpOptions = true,
    description = {
      "Uploads after the fact: what came in, what was skipped and why.",
      "Works on a running server; the key is read from MAINSTAY_API_TOKEN."
    })
public final class UploadsCommand implements Runnable {
  private final Shell shell;
  @Spec private CommandSpec spec;

  public UploadsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public void run() {
    spec.commandLine().usage(shell.out());
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the uploads of a repository, the newest first.")
  void list(
      @Mixin ServerOptions options,
      @Option(names = "--failed", description = "Only those in which a test failed.")
          boolean failed,
      @Option(names = "--before", paramLabel = "ID", description = "Go on before this upload.")
          @Nullable UUID before,
      @Option(names = "--take", paramLabel = "N", description = "At most so many, 1 to 100 (50).")
          @Nullable Integer take) {
    var request = options.aboutRepo().put("failed_only", failed);
    Optional.ofNullable(before).ifPresent(id -> request.put("before", id.toString()));
    Optional.ofNullable(take).ifPresent(n -> request.put("take", n));
    options.ask("uploads/list", request, this::printList);
  }

  private void printList(JsonNode answer) {
    var table = new Table("ID", "AT", "BRANCH", "COMMIT", "JOB", "TESTS", "FAILED", "VERDICT");
    for (JsonNode upload : answer.path("uploads")) {
      table.row(
          upload.path("upload_id").asString(""),
          upload.path("at").asString(""),
          upload.path("branch").asString(""),
          upload.path("commit").asString(""),
          upload.path("job").asString(""),
          upload.path("counts").path("tests").asString(""),
          upload.path("verdict").path("failed_tests").asString(""),
          verdict(upload));
    }
    table.print(shell);
    if (answer.has("before")) {
      shell.out().printf("There are more: --before %s%n", answer.path("before").asString(""));
    }
  }

  private static String verdict(JsonNode upload) {
    String reason = upload.path("verdict").path("reason").asString("");
    return upload.path("set_aside").asBoolean() ? "Set aside. " + reason : reason;
  }

  @Command(
      name = "show",
      mixinStandardHelpOptions = true,
      description = "Show an upload: what was read, what was skipped, which tests failed.")
  void show(@Mixin ServerOptions options, @Parameters(paramLabel = "ID") UUID id) {
    var request = options.aboutRepo().put("upload_id", id.toString());
    options.ask("uploads/get", request, this::print);
  }

  private void print(JsonNode upload) {
    JsonNode counts = upload.path("counts");
    shell
        .out()
        .printf(
            "%s  %d files, %d tests, %d runs: %d passed, %d failed, %d errored, %d skipped%n%s%n",
            upload.path("at").asString(""),
            counts.path("files").asInt(),
            counts.path("tests").asInt(),
            counts.path("runs").asInt(),
            counts.path("passed").asInt(),
            counts.path("failed").asInt(),
            counts.path("errored").asInt(),
            counts.path("skipped").asInt(),
            verdict(upload));
    if (!upload.path("skipped").isEmpty()) {
      var table = new Table("SKIPPED", "LINE", "REASON");
      for (JsonNode skip : upload.path("skipped")) {
        table.row(
            skip.path("file").asString(""),
            skip.path("line").asString(""),
            skip.path("reason").asString(""));
      }
      table.print(shell);
    }
    if (!upload.path("failed_tests").isEmpty()) {
      TestTable.of(upload.path("failed_tests")).print(shell);
    }
  }
}
