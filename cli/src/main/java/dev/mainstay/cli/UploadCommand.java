package dev.mainstay.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

@Command(
    name = "upload",
    mixinStandardHelpOptions = true,
    description = {
      "Send test reports of a CI job to a Mainstay server, and exit with its verdict: 0 when the"
          + " job may pass.",
      "The repository, branch, commit and the like are taken from the CI system, or from git. The"
          + " key is read from MAINSTAY_API_TOKEN."
    })
final class UploadCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
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

  @Override
  public Integer call() {
    List<String> places = globs == null ? ReportFiles.USUAL_PLACES : globs;
    var reports = ReportFiles.find(options.root(), places, FileTime.fromMillis(0));
    if (reports.isEmpty()) {
      throw new Refusal("No report was found: %s.".formatted(String.join(", ", places)));
    }
    PrintWriter err = spec.commandLine().getErr();
    try {
      var verdict = send(options, reports, System.getenv(), err);
      verdict.print(spec.commandLine().getOut());
      return verdict.exitCode(testExitCode);
    } catch (ResultsClient.Unreachable e) {
      warn(err, e);
      return testExitCode;
    }
  }

  static Verdict send(
      UploadOptions options, List<Path> reports, Map<String, String> environment, PrintWriter err)
      throws ResultsClient.Unreachable {
    var client = options.client(environment, err);
    var about = options.about(environment);
    var answers = new ArrayList<JsonNode>();
    for (byte[] bundle :
        ReportBundle.pack(options.root(), reports, ReportFiles.codeOwners(options.root()))) {
      answers.add(client.send(about, bundle));
    }
    return new Verdict(answers);
  }

  static void warn(PrintWriter err, Exception e) {
    err.printf(
        "mainstay: warning: the results were not sent (%s); the tests' own exit code stands.%n",
        e.getMessage());
    err.flush();
  }
}
