package dev.mainstay.cli.upload;

import dev.mainstay.cli.api.ApiClient.Unreachable;
import dev.mainstay.cli.shell.Refusal;
import dev.mainstay.cli.shell.Shell;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

@Command(
    name = "upload",
    mixinStandardHelpOptions = true,
    description = {
      "Send test reports of a CI job to a Mainstay server, and exit with its verdict: 1 when a test"
          + " failed that is not quarantined.",
      "The repository, branch, commit and the like are taken from the CI system, or from git. The"
          + " key is read from MAINSTAY_API_TOKEN."
    })
public final class UploadCommand implements Callable<Integer> {
  private final Shell shell;
  @Mixin private UploadOptions options;

  @Option(
      names = "--test-exit-code",
      paramLabel = "CODE",
      defaultValue = "0",
      description =
          "The exit code of the tests: it stands when the server cannot be reached, or when they"
              + " failed without a failure in the reports (0).")
  private int testExitCode;

  @Parameters(
      paramLabel = "GLOB",
      arity = "0..*",
      description = "Report files, directories or globs; the usual places if none is given.")
  private @Nullable List<String> globs;

  public UploadCommand(Shell shell) {
    this.shell = shell;
  }

  @Override
  public Integer call() {
    List<String> places = globs == null ? ReportFiles.USUAL_PLACES : globs;
    var reports = ReportFiles.find(options.root(), places, FileTime.fromMillis(0));
    if (reports.isEmpty()) {
      throw new Refusal("No report was found: %s.".formatted(String.join(", ", places)));
    }
    try {
      var verdict = send(options, reports);
      verdict.print(shell, options.isJson());
      return verdict.exitCode(testExitCode, options.isStrict());
    } catch (Unreachable e) {
      warn(shell, e);
      return testExitCode;
    }
  }

  static UploadVerdict send(UploadOptions options, List<Path> reports) throws Unreachable {
    ReportSender sender = options.sender();
    Map<String, String> about = options.about();
    var answers = new ArrayList<JsonNode>();
    for (byte[] bundle :
        ReportBundle.pack(options.root(), reports, ReportFiles.codeOwners(options.root()))) {
      answers.add(sender.send(about, options.ignore(), bundle));
    }
    return new UploadVerdict(answers);
  }

  static void warn(Shell shell, Exception e) {
    shell
        .err()
        .printf(
            "mainstay: warning: the results were not sent (%s); the tests' own exit code stands.%n",
            e.getMessage());
    shell.err().flush();
  }
}
