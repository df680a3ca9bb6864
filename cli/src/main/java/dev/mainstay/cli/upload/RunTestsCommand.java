package dev.mainstay.cli.upload;

import dev.mainstay.cli.api.ApiClient.Unreachable;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import java.io.IOException;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
    name = "test",
    mixinStandardHelpOptions = true,
    description = {
      "Run tests, send the reports they wrote, and exit with the verdict: 0 when nothing failed but"
          + " what is quarantined.",
      "Whenever the server cannot be asked, the exit code of the tests stands."
    })
public final class RunTestsCommand implements Callable<Integer> {
  /** File systems may keep times by the second or two. */
  private static final long CLOCK_GRAIN_MILLIS = 2000;

  private static final int COULD_NOT_RUN = 127;

  private final Shell shell;
  @Mixin private UploadOptions options;

  @Option(
      names = "--reports",
      paramLabel = "GLOB",
      description = "Where the reports will be; may be given again (the usual places).")
  private @Nullable List<String> globs;

  @Parameters(
      paramLabel = "COMMAND",
      arity = "1..*",
      description = "The tests, after --: mainstay test -- mvn verify")
  private List<String> command;

  public RunTestsCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() throws InterruptedException {
    long start = System.currentTimeMillis();
    int ofTests = run();
    if (ofTests == COULD_NOT_RUN) {
      return ofTests;
    }
    var since = FileTime.fromMillis(start - CLOCK_GRAIN_MILLIS);
    List<String> places = globs == null ? ReportFiles.USUAL_PLACES : globs;
    try {
      var reports = ReportFiles.find(options.root(), places, since);
      if (reports.isEmpty()) {
        throw new Refusal("no new report was found: " + String.join(", ", places));
      }
      var verdict = UploadCommand.send(options, reports);
      verdict.print(shell, options.isJson());
      return verdict.exitCode(ofTests, options.isStrict());
    } catch (Unreachable | Refusal e) {
      UploadCommand.warn(shell, e);
      return ofTests;
    }
  }

  private int run() throws InterruptedException {
    try {
      return shell.program(command).inheritIO().start().waitFor();
    } catch (IOException e) {
      shell.err().printf("mainstay: %s cannot be run: %s%n", command.getFirst(), e.getMessage());
      shell.err().flush();
      return COULD_NOT_RUN;
    }
  }
}
