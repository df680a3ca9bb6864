package dev.mainstay.cli;

import dev.mainstay.core.code.RepoName;
import dev.mainstay.core.health.CiEnvironment;
import dev.mainstay.server.platform.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Which server to ask about the tests of which repository, and how to print what it says. */
final class HealthOptions {
  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "The Mainstay server (MAINSTAY_URL; http://localhost:8080).")
  private @Nullable String url;

  @Option(
      names = "--repo",
      paramLabel = "HOST/OWNER/NAME",
      description = "The repository; from the CI system if not given.")
  private @Nullable String repo;

  @Option(names = "--json", description = "Print the server's answer as it is.")
  private boolean json;

  /** A request about the repository. */
  ObjectNode about() {
    Optional<RepoName> given =
        repo == null
            ? CiEnvironment.detect(System.getenv()).flatMap(CiEnvironment::repo)
            : RepoName.parse(repo);
    RepoName name =
        given.orElseThrow(() -> new Refusal("Name the repository: --repo HOST/OWNER/NAME."));
    ObjectNode about = Json.object();
    about
        .putObject("repo")
        .put("host", name.host())
        .put("owner", name.owner())
        .put("name", name.name());
    return about;
  }

  /** Asks, and prints the answer as JSON or by the printer. */
  void ask(String path, ObjectNode request, PrintWriter out, Consumer<JsonNode> printer) {
    JsonNode answer = ask(path, request);
    if (json) {
      out.println(new String(Json.write(answer), StandardCharsets.UTF_8));
    } else {
      printer.accept(answer);
    }
    out.flush();
  }

  JsonNode ask(String path, ObjectNode request) {
    Map<String, String> environment = System.getenv();
    String token = environment.getOrDefault("MAINSTAY_API_TOKEN", "");
    if (token.isEmpty()) {
      throw new Refusal("Set MAINSTAY_API_TOKEN to a key with the scope admin.");
    }
    String server =
        url == null ? environment.getOrDefault("MAINSTAY_URL", "http://localhost:8080") : url;
    if (!server.matches("https?://[^/\\s?#]+(/[^\\s?#]*)?")) {
      throw new Refusal("%s is not an http or https address.".formatted(server));
    }
    var answer = send(server.replaceFirst("/+$", "") + path, token, request);
    if (answer.statusCode() != 200) {
      throw new Refusal(trouble(answer));
    }
    return Json.readObject(answer.body());
  }

  private static HttpResponse<byte[]> send(String address, String token, ObjectNode request) {
    try (var http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build()) {
      return http.send(
          HttpRequest.newBuilder(URI.create(address))
              .header("x-api-token", token)
              .header("content-type", "application/json")
              .timeout(Duration.ofMinutes(2))
              .POST(BodyPublishers.ofByteArray(Json.write(request)))
              .build(),
          BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new Refusal("The server at %s does not answer: %s".formatted(address, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Refusal("interrupted");
    }
  }

  /** Every fault that the server named. */
  private static String trouble(HttpResponse<byte[]> answer) {
    try {
      JsonNode problem = Json.readObject(answer.body());
      String faults =
          problem.path("errors").values().stream()
              .map(f -> f.path("field").asString("") + ": " + f.path("message").asString(""))
              .collect(Collectors.joining("; "));
      return faults.isEmpty() ? problem.path("detail").asString("") : faults;
    } catch (RuntimeException e) {
      return "The server answered with status %d.".formatted(answer.statusCode());
    }
  }
}
