package dev.mainstay.server.forge.gitea;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.CredentialsRefused;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.hosted.CommandLines;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** People: what they may do, and what we tell them. */
record GiteaPeople(GiteaRepository repository) {
  static final String MARKER = CommandLines.MARK;

  private static final int MOST_TEXT = 60_000;
  private static final Pattern LOGIN = Pattern.compile("[\\w.-]{1,100}");

  void comment(PullRequestRef pr, String text) {
    String body = MARKER + "\n" + HostJson.cut(text, MOST_TEXT);
    List<JsonNode> ours = ours(pr);
    // Two nodes that wrote the first one at the same moment left one too many.
    ours.stream()
        .skip(1)
        .map(one -> "/issues/comments/" + one.path("id").asLong(0))
        .forEach(path -> repository.call("DELETE", path, Map.of()));
    Optional<JsonNode> before = ours.stream().findFirst();
    if (before.isEmpty()) {
      repository.change("POST", comments(pr), Map.of("body", body));
    } else if (!before.get().path("body").asString("").equals(body)) {
      long id = before.get().path("id").asLong(0);
      repository.change("PATCH", "/issues/comments/" + id, Map.of("body", body));
    }
  }

  /** Others may write the marker too. */
  private List<JsonNode> ours(PullRequestRef pr) {
    Optional<String> login = login();
    return repository
        .get(comments(pr))
        .json()
        .valueStream()
        .filter(comment -> comment.path("body").asString("").startsWith(MARKER))
        .filter(
            comment ->
                login.isEmpty() || comment.at("/user/login").asString("").equals(login.get()))
        .toList();
  }

  private static String comments(PullRequestRef pr) {
    return "/issues/%d/comments".formatted(pr.number());
  }

  /** The name of whom the token is of; empty where the token does not allow to ask. */
  Optional<String> login() {
    try {
      Answer answer = repository.rest().get("/user");
      return Optional.of(answer.json().path("login").asString("")).filter(l -> !l.isEmpty());
    } catch (CredentialsRefused e) {
      return Optional.empty();
    }
  }

  /**
   * Only an administrator of the repository may ask what others may do: else nobody counts as
   * allowed to do anything. (That work can be assigned to somebody says nothing: any reader can be
   * assigned.)
   */
  Permission permission(String login) {
    if (!LOGIN.matcher(login).matches()) {
      return Permission.NONE;
    }
    try {
      return repository
          .find("/collaborators/" + login + "/permission")
          .map(answer -> permission(answer))
          .orElse(Permission.NONE);
    } catch (CredentialsRefused e) {
      return Permission.NONE;
    }
  }

  private static Permission permission(JsonNode answer) {
    return switch (answer.path("permission").asString("")) {
      case "owner", "admin" -> Permission.ADMIN;
      case "write" -> Permission.WRITE;
      case "read" -> Permission.READ;
      default -> Permission.NONE;
    };
  }
}
