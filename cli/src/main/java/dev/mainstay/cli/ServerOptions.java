package dev.mainstay.cli;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.CiEnvironment;
import dev.mainstay.server.platform.Json;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/** Which server to ask, and about which repository. The key is read from MAINSTAY_API_TOKEN. */
class ServerOptions {
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

  boolean json() {
    return json;
  }

  ApiClient client() {
    String token = System.getenv().getOrDefault("MAINSTAY_API_TOKEN", "");
    if (token.isEmpty()) {
      throw new Refusal("Set MAINSTAY_API_TOKEN to a key with the scopes the command needs.");
    }
    String address =
        url == null ? System.getenv().getOrDefault("MAINSTAY_URL", "http://localhost:8080") : url;
    if (!address.matches("https?://[^/\\s?#]+(/[^\\s?#]*)?")) {
      throw new Refusal("%s is not an http or https address.".formatted(address));
    }
    return new ApiClient(URI.create(address), token);
  }

  /** The repository, as every request names it. */
  ObjectNode aboutRepo() {
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
          .orElseThrow(() -> new Refusal("%s is not HOST/OWNER/NAME.".formatted(repo)));
    }
    return Optional.<RepoName>empty()
        .or(() -> CiEnvironment.detect(System.getenv()).flatMap(CiEnvironment::repo))
        .or(
            () ->
                LocalGit.ask(Path.of("."), "remote", "get-url", "origin").flatMap(RepoName::parse))
        .orElseThrow(
            () -> new Refusal("The repository is not known: give it as --repo HOST/OWNER/NAME."));
  }
}
