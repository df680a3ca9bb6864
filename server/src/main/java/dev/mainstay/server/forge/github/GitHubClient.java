package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.HostUsage;
import dev.mainstay.server.forge.Networks;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.forge.rest.RestClient;
import dev.mainstay.server.forge.rest.Usage;
import dev.mainstay.server.platform.Json;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/**
 * GitHub's API for one repository; paths begin there. A token of an App that is refused is made
 * anew once.
 */
final class GitHubClient implements AutoCloseable {
  private static final int PAGE = 100;

  private final GitHubAddress address;
  private final GitHubAccess access;
  private final RestClient rest;

  /** The token of the last request on this thread: the one that was refused, if it was. */
  private final ThreadLocal<String> used = ThreadLocal.withInitial(() -> "");

  GitHubClient(GitHubAddress address, GitHubAccess access, Networks networks) {
    this.address = address;
    this.access = access;
    this.rest = new RestClient(address.api(), this::headers, access::budget, new Usage(), networks);
  }

  private Map<String, String> headers() {
    String token = access.token();
    used.set(token);
    return GitHubHeaders.of(token);
  }

  GitHubAddress address() {
    return address;
  }

  GitHubAccess access() {
    return access;
  }

  Answer get(String path) {
    return again(() -> rest.get(repository() + path));
  }

  /** Something that is not the repository's own. */
  Answer getOutside(String path) {
    return again(() -> rest.get(address.rest() + path));
  }

  Answer send(String method, String path, JsonNode body) {
    return again(() -> rest.send(method, repository() + path, body));
  }

  List<JsonNode> all(String path, int most) {
    return again(() -> rest.all(repository() + path, most));
  }

  /** The same, of which only a part of each is wanted. */
  List<JsonNode> all(String path, int most, UnaryOperator<JsonNode> part) {
    return again(() -> rest.all(repository() + path, most, part));
  }

  /** Everything of a list that is inside of an object, under this name; none where not found. */
  List<JsonNode> all(String path, String name, int most) {
    var all = new ArrayList<JsonNode>();
    int page = 1;
    int before = -1;
    while (all.size() > before && all.size() < most && all.size() >= (page - 1) * PAGE) {
      before = all.size();
      Answer answer = get(path + "per_page=" + PAGE + "&page=" + page++);
      answer.json().path(name).forEach(all::add);
    }
    return all;
  }

  /** The data of a question in GraphQL. */
  JsonNode ask(String question, int number) {
    var body = Json.object().put("query", question);
    body.putObject("variables")
        .put("owner", address.owner())
        .put("name", address.name())
        .put("number", number);
    Answer answer = again(() -> rest.send("POST", "/graphql", body));
    JsonNode found = answer.json().path("data").path("repository").path("pullRequest");
    if (!answer.ok() || !found.isObject()) {
      throw new ForgeUnavailable(
          "%s does not say how the reviews of #%d stand.".formatted(address.host(), number));
    }
    return found;
  }

  HostUsage usage() {
    return rest.used();
  }

  private <T> T again(Supplier<T> request) {
    try {
      return request.get();
    } catch (CredentialsRefused e) {
      if (!access.refused(used.get())) {
        throw e;
      }
      return request.get();
    }
  }

  private String repository() {
    return address.rest() + "/repos/" + address.fullName();
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** A branch as a part of a path, where slashes stay. */
  static String inPath(String branch) {
    return encoded(branch).replace("%2F", "/");
  }

  /** Something is there where the repository itself is: else that is what is missing. */
  void mustBeThere() {
    Answer answer = get("");
    if (!answer.ok()) {
      throw new ForgeUnavailable(
          "There is no repository %s, or the credentials do not show it (%s)."
              .formatted(address.location(), answer.words()));
    }
  }

  @Override
  public void close() {
    rest.close();
  }
}
