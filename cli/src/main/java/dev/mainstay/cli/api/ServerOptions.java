package dev.mainstay.cli.api;

import dev.mainstay.cli.shell.LocalGit;
import dev.mainstay.cli.shell.Shell;
import dev.mainstay.cli.shell.WrongCall;
import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.CiEnvironment;
import dev.mainstay.server.platform.Json;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** The server to ask, and the repository to ask about. The key is read from MAINSTAY_API_TOKEN. */
public class ServerOptions {
  private final Shell shell;

  @Option(
      names = {"--url", "--server"},
      paramLabel = "URL",
      description = "The Mainstay server (MAINSTAY_URL; http://localhost:8080).")
  private @Nullable String url;

  @Option(
      names = "--repo",
      paramLabel = "HOST/OWNER/NAME",
      description = "The repository; from the CI system or git if not given.")
  private @Nullable String repo;

  @Option(names = "--json", description = "Print what the server answers, as it is.")
  private boolean json;

  public ServerOptions(Shell shell) {
    this.shell = shell;
  }

  public boolean json() {
    return json;
  }

  public ApiClient client() {
    return ApiClient.of(shell, Optional.ofNullable(url), "scopes the command needs");
  }

  /** Asks, and prints the answer as JSON or by the printer. */
  public void ask(String operation, ObjectNode request, Consumer<ObjectNode> printer) {
    print(client().post(operation, request), printer);
  }

  /** Prints an answer as JSON or by the printer. */
  public void print(ObjectNode answer, Consumer<ObjectNode> printer) {
    if (json) {
      shell.out().println(new String(Json.write(answer), StandardCharsets.UTF_8));
    } else {
      printer.accept(answer);
    }
    shell.out().flush();
  }

  /** The repository, where the caller gave one. */
  public ObjectNode aboutGivenRepo() {
    return repo == null ? Json.object() : aboutRepo();
  }

  /** The repository, as every request names it. */
  public ObjectNode aboutRepo() {
    RepoName name = repoName();
    var about = Json.object();
    about
        .putObject("repo")
        .put("host", name.host())
        .put("owner", name.owner())
        .put("name", name.name());
    return about;
  }

  private RepoName repoName() {
    if (repo != null) {
      return RepoName.parse(repo)
          .orElseThrow(() -> new WrongCall("%s is not HOST/OWNER/NAME.".formatted(repo)));
    }
    return Optional.<RepoName>empty()
        .or(() -> CiEnvironment.detect(shell.environment()).flatMap(CiEnvironment::repo))
        .or(
            () ->
                LocalGit.ask(shell, shell.directory(), "remote", "get-url", "origin")
                    .flatMap(RepoName::parse))
        .orElseThrow(
            () -> new WrongCall("The repository is not known: give it as --repo HOST/OWNER/NAME."));
  }
}
