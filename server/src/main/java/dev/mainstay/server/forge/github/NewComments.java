package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Comment;
import dev.mainstay.server.forge.Host.Comments;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.hosted.CommandLines;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * New comments of a repository, the newest first, by a question that costs nothing where nobody
 * wrote one. Comments are numbered in their order: the mark is the last number that was read, so
 * that neither edits nor clocks matter.
 */
record NewComments(GitHubClient client) {
  private static final int PAGE = 50;
  private static final int MOST_PAGES = 20;
  private static final int MOST_LOGIN = 100;

  Comments since(Optional<String> mark) {
    Optional<Long> last = mark.filter(m -> m.matches("\\d{1,18}")).map(Long::parseLong);
    var found = new ArrayList<Comment>();
    long newest = last.orElse(0L);
    for (int page = 1; page <= (last.isPresent() ? MOST_PAGES : 1); page++) {
      List<JsonNode> some = page(page);
      for (JsonNode json : some) {
        long id = json.path("id").asLong(0);
        newest = Math.max(newest, id);
        if (last.isPresent() && id > last.get()) {
          read(id, json).ifPresent(found::add);
        }
      }
      long oldest = some.isEmpty() ? 0 : some.getLast().path("id").asLong(0);
      if (some.size() < PAGE || oldest <= last.orElse(0L)) {
        break;
      }
    }
    return new Comments(found.reversed(), String.valueOf(newest));
  }

  private List<JsonNode> page(int number) {
    String path = "/issues/comments?sort=created&direction=desc&per_page=" + PAGE;
    return client.all(number == 1 ? path : path + "&page=" + number, PAGE, NewComments::inShort);
  }

  /** As much of a comment as is read here. */
  private static JsonNode inShort(JsonNode comment) {
    ObjectNode json = Json.object();
    json.set("id", comment.path("id"));
    json.put("issue_url", comment.path("issue_url").asString(""));
    json.put("login", comment.path("user").path("login").asString(""));
    json.put("type", comment.path("user").path("type").asString(""));
    CommandLines.of(comment.path("body").asString("")).forEach(json.putArray("lines")::add);
    return json;
  }

  private static Optional<Comment> read(long id, JsonNode json) {
    String issue = json.path("issue_url").asString("");
    String number = issue.substring(issue.lastIndexOf('/') + 1);
    String login = json.path("login").asString("");
    if (!number.matches("[1-9]\\d{0,8}") || login.isEmpty() || login.length() > MOST_LOGIN) {
      return Optional.empty();
    }
    List<String> lines = json.path("lines").valueStream().map(line -> line.asString("")).toList();
    boolean bot = json.path("type").asString("").equals("Bot") || login.endsWith("[bot]");
    return Optional.of(
        new Comment(
            String.valueOf(id), new PullRequestRef(Integer.parseInt(number)), login, bot, lines));
  }

  void react(String comment, Reaction reaction) {
    if (!comment.matches("\\d{1,18}")) {
      return;
    }
    String content =
        switch (reaction) {
          case DONE -> "+1";
          case REFUSED -> "-1";
        };
    Answer answer =
        client.send(
            "POST",
            "/issues/comments/" + comment + "/reactions",
            Json.object().put("content", content));
    if (!answer.ok() && answer.status() != 404 && answer.status() != 422) {
      throw new ForgeUnavailable(
          "%s does not take a reaction: %s".formatted(client.address().host(), answer.words()));
    }
  }
}
