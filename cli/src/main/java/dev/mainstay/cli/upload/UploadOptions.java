package dev.mainstay.cli.upload;

import dev.mainstay.cli.api.ApiClient;
import dev.mainstay.cli.shell.LocalGit;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.CiEnvironment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The server that gets the results, and the run they come from: options over the CI's variables
 * over git.
 */
final class UploadOptions {
  private final Shell shell;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The Mainstay server (MAINSTAY_URL; http://localhost:8080).")
  private @Nullable String url;

  @Option(
      names = "--repo",
      paramLabel = "HOST/OWNER/NAME",
      description = "The repository; from the CI system or git if not given.")
  private @Nullable String repo;

  @Option(names = "--branch", paramLabel = "BRANCH", description = "The branch the tests ran on.")
  private @Nullable String branch;

  @Option(names = "--commit", paramLabel = "SHA", description = "The commit the tests ran on.")
  private @Nullable String commit;

  @Option(names = "--pr", paramLabel = "NUMBER", description = "The pull request.")
  private @Nullable String pr;

  @Option(names = "--job", paramLabel = "JOB", description = "The CI job.")
  private @Nullable String job;

  @Option(
      names = "--variant",
      paramLabel = "VARIANT",
      description = "Tells apart runs of the same tests, such as linux and windows.")
  private @Nullable String variant;

  @Option(names = "--ci-url", paramLabel = "URL", description = "Where the job can be seen.")
  private @Nullable String ciUrl;

  @Option(names = "--attempt", paramLabel = "N", description = "Which attempt of the job this is.")
  private @Nullable String attempt;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Where to look for reports and CODEOWNERS (the working directory).")
  private Path dir;

  @Option(
      names = "--retries",
      paramLabel = "N",
      defaultValue = "5",
      description = "How often to try again when the server cannot be reached (5).")
  private int retries;

  @Option(
      names = "--ignore",
      paramLabel = "GLOB",
      description = "Files that are no test reports, by path or name; may be given again.")
  private List<String> ignore = new ArrayList<>();

  @Option(
      names = "--strict",
      description = "Fail also where the tests passed and some results could not be read.")
  private boolean strict;

  @Option(
      names = "--json",
      description = "Print what the server answers, as one line: {\"uploads\": [...]}.")
  private boolean json;

  UploadOptions(Shell shell) {
    this.shell = shell;
  }

  boolean isStrict() {
    return strict;
  }

  boolean isJson() {
    return json;
  }

  List<String> ignore() {
    return ignore;
  }

  Path root() {
    return shell.resolve(dir);
  }

  ReportSender sender() {
    var client = ApiClient.of(shell, Optional.ofNullable(url), "scope upload");
    return new ReportSender(client, retries, shell);
  }

  /** The run that the reports come from, by the names of the API. */
  Map<String, String> about() {
    var ci = CiEnvironment.detect(shell.environment());
    var about = new LinkedHashMap<String, String>();
    put(
        about,
        "repo",
        repo,
        ci.flatMap(CiEnvironment::repo)
            .map(RepoName::toString)
            .or(() -> git("remote", "get-url", "origin")));
    put(about, "branch", branch, ci.map(CiEnvironment::branch).or(this::gitBranch));
    put(about, "commit", commit, ci.map(CiEnvironment::commit).or(() -> git("rev-parse", "HEAD")));
    put(about, "pr", pr, ci.flatMap(CiEnvironment::pullRequest).map(String::valueOf));
    put(about, "job", job, ci.map(CiEnvironment::job));
    put(about, "variant", variant, Optional.empty());
    put(about, "ci_url", ciUrl, ci.map(CiEnvironment::url));
    put(about, "attempt", attempt, ci.flatMap(CiEnvironment::attempt).map(String::valueOf));
    if (!about.containsKey("repo")) {
      throw new WrongCall("The repository is not known: give it as --repo HOST/OWNER/NAME.");
    }
    return about;
  }

  private static void put(
      Map<String, String> about, String name, @Nullable String given, Optional<String> found) {
    Optional.ofNullable(given)
        .or(() -> found)
        .filter(value -> !value.isBlank())
        .ifPresent(value -> about.put(name, value));
  }

  private Optional<String> gitBranch() {
    return git("rev-parse", "--abbrev-ref", "HEAD").filter(name -> !name.equals("HEAD"));
  }

  private Optional<String> git(String... arguments) {
    return LocalGit.ask(shell, root(), arguments);
  }
}
