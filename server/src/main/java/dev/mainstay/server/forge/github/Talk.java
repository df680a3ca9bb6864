package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.hosted.CommandLines;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Our one comment on a pull request, found by a mark that nobody sees, and what people may do. */
final class Talk {
  private static final String MARK = CommandLines.MARK;
  private static final int MOST_COMMENTS = 3000;
  private static final int MOST_TEXT = 60_000;
  private static final Pattern LOGIN = Pattern.compile("[A-Za-z0-9_.\\[\\]-]{1,100}");

  private final GitHubClient client;

  /** Our login by the token that it was asked with. */
  private final Map<String, String> logins = new ConcurrentHashMap<>();

  Talk(GitHubClient client) {
    this.client = client;
  }

  void comment(PullRequestRef pr, String text) {
    String body = MARK + "\n" + text.substring(0, Math.min(text.length(), MOST_TEXT));
    List<JsonNode> ours = find(pr);
    ours.stream().skip(1).forEach(this::delete);
    Optional<JsonNode> before = ours.stream().findFirst();
    if (before.isPresent() && before.get().path("body").asString("").equals(body)) {
      return;
    }
    var json = Json.object().put("body", body);
    Answer answer =
        before.isPresent()
            ? client.send("PATCH", "/issues/comments/" + before.get().path("id").asLong(0), json)
            : client.send("POST", "/issues/" + pr.number() + "/comments", json);
    if (!answer.ok()) {
      throw new ForgeUnavailable(
          "%s does not take a comment on %s: %s"
              .formatted(client.address().host(), pr, answer.words()));
    }
  }

  /** Two nodes that wrote the first one at the same moment left one too many. */
  private void delete(JsonNode comment) {
    String path = "/issues/comments/" + comment.path("id").asLong(0);
    client.send("DELETE", path, Json.object());
  }

  /** Somebody else may have copied our mark. */
  private List<JsonNode> find(PullRequestRef pr) {
    String path = "/issues/" + pr.number() + "/comments?per_page=100";
    return client.all(path, MOST_COMMENTS).stream()
        .filter(c -> c.path("body").asString("").startsWith(MARK))
        .filter(c -> c.path("user").path("login").asString("").equals(login()))
        .toList();
  }

  private String login() {
    Optional<AppTokens> app = client.access().app();
    return app.isPresent()
        ? app.get().login(client.address())
        : logins.computeIfAbsent(
            client.access().token(),
            token -> client.getOutside("/user").json().path("login").asString(""));
  }

  Permission permission(String login) {
    if (!LOGIN.matcher(login).matches()) {
      return Permission.NONE;
    }
    Answer answer = client.get("/collaborators/" + GitHubClient.encoded(login) + "/permission");
    return switch (answer.ok() ? answer.json().path("permission").asString("") : "") {
      case "admin" -> Permission.ADMIN;
      case "write" -> Permission.WRITE;
      case "read" -> Permission.READ;
      default -> Permission.NONE;
    };
  }
}
