package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** The comments of pull requests, and the people who write them. */
final class FakeTalk {
  /** A comment on a pull request. */
  record Comment(int id, int pull, String author, ObjectNode json) {
    String text() {
      return json.get("body").asString();
    }
  }

  private final List<Comment> comments = new ArrayList<>();
  private final Map<Integer, List<String>> reactions = new TreeMap<>();
  private int last = 300;
  private final Map<String, String> permissions = new HashMap<>();

  List<Comment> comments(int pull) {
    return comments.stream().filter(c -> c.pull() == pull).toList();
  }

  /** Answers the number of the comment. */
  int say(int pull, String author, String text) {
    int id = last++;
    ObjectNode json = Json.object().put("id", id).put("body", text);
    String own = FakeShapes.repoApi("issues/comments/" + json.get("id").asInt());
    json.put("node_id", "IC_" + json.get("id").asInt()).put("url", own).put("html_url", own);
    json.put("issue_url", FakeShapes.repoApi("issues/" + pull));
    json.put("author_association", "CONTRIBUTOR");
    json.put("created_at", FakeShapes.THEN).put("updated_at", FakeShapes.THEN);
    json.set("user", FakeShapes.user(author));
    comments.add(new Comment(id, pull, author, json));
    return id;
  }

  void edit(int id, String text) {
    comments.stream().filter(c -> c.id() == id).forEach(c -> c.json().put("body", text));
  }

  void delete(int id) {
    comments.removeIf(c -> c.id() == id);
  }

  /** The reactions to a comment, in their order. */
  List<String> reactions(int id) {
    return List.copyOf(reactions.getOrDefault(id, List.of()));
  }

  void forbid(String login) {
    permissions.remove(login);
  }

  void permission(String login, String level) {
    permissions.put(login, level);
  }

  private static String author(Call call) {
    return switch (call.caller()) {
      case FakeTokens.Caller.Person(String login, _) -> login;
      case FakeTokens.Caller.Installation _, FakeTokens.Caller.App _ -> FakeTokens.SLUG + "[bot]";
    };
  }

  Reply list(Call call) {
    return Reply.ok(comments(call.number()).stream().map(Comment::json).toList());
  }

  /** All of the repository, in the order that is asked for. */
  Reply newest(Call call) {
    boolean falling =
        "created".equals(call.query().get("sort")) && "desc".equals(call.query().get("direction"));
    List<ObjectNode> all = comments.stream().map(Comment::json).toList();
    return Reply.ok(falling ? all.reversed() : all);
  }

  Reply react(Call call) {
    if (comments.stream().noneMatch(c -> c.id() == call.number())) {
      return Reply.notFound();
    }
    String content = call.text("content").orElseThrow();
    List<String> there = reactions.computeIfAbsent(call.number(), id -> new ArrayList<>());
    ObjectNode json = Json.object().put("id", 1).put("node_id", "RE_1").put("content", content);
    json.set("user", FakeShapes.user(author(call)));
    json.put("created_at", FakeShapes.THEN);
    if (there.contains(content)) {
      return Reply.ok(json);
    }
    there.add(content);
    return new Reply(201, json);
  }

  Reply remove(Call call) {
    delete(call.number());
    return new Reply(204, Json.object());
  }

  Reply write(Call call) {
    say(call.number(), author(call), call.text("body").orElseThrow());
    return new Reply(201, comments.getLast().json());
  }

  Reply change(Call call) {
    Optional<Comment> comment = comments.stream().filter(c -> c.id() == call.number()).findFirst();
    if (comment.isEmpty()) {
      return Reply.notFound();
    }
    if (!comment.get().author().equals(author(call))) {
      return Reply.not(403, "You can only edit your own comments");
    }
    comment.get().json().put("body", call.text("body").orElseThrow());
    return Reply.ok(comment.get().json());
  }

  Reply permission(Call call) {
    String login = call.parts().getFirst();
    String level = permissions.get(login);
    if (level == null) {
      return Reply.not(404, login + " is not a user");
    }
    ObjectNode json = Json.object().put("permission", level).put("role_name", level);
    json.set("user", FakeShapes.user(login).put("role_name", level));
    return Reply.ok(json);
  }
}
