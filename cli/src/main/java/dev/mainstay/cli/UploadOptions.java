package dev.mainstay.cli;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.CiEnvironment;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where results go and what they are about: options over the CI's variables over git. */
final class UploadOptions {
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

  @Option(names = "--branch", description = "The branch the tests ran on.")
  private @Nullable String branch;

  @Option(names = "--commit", paramLabel = "SHA", description = "The commit the tests ran on.")
  private @Nullable String commit;

  @Option(names = "--pr", paramLabel = "NUMBER", description = "The pull request.")
  private @Nullable String pr;

  @Option(names = "--job", description = "The CI job.")
  private @Nullable String job;

  @Option(
      names = "--variant",
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

  Path root() {
    return dir;
  }

  ResultsClient client(Map<String, String> environment, PrintWriter err) {
    String token = environment.getOrDefault("MAINSTAY_API_TOKEN", "");
    if (token.isEmpty()) {
      throw new Refusal("Set MAINSTAY_API_TOKEN to a key with the scope upload.");
    }
    String address =
        url == null ? environment.getOrDefault("MAINSTAY_URL", "http://localhost:8080") : url;
    if (!address.matches("https?://[^/\\s?#]+(/[^\\s?#]*)?")) {
      throw new Refusal("%s is not an http or https address.".formatted(address));
    }
    return new ResultsClient(URI.create(address), token, retries, err);
  }

  /** What the upload is about, by the names of the API. */
  Map<String, String> about(Map<String, String> environment) {
    var ci = CiEnvironment.detect(environment);
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
      throw new Refusal("The repository is not known: give it as --repo HOST/OWNER/NAME.");
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
    return LocalGit.ask(dir, arguments);
  }
}
