package dev.mainstay.server.forge.gitlab;

import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/** The users of the fake, and the roles they have in the project. Those of tokens are bots. */
final class FakePeople {
  /** Roles by name, inherited ones too. */
  final Map<String, Integer> members = new HashMap<>();

  /** Users that GitLab says are bots. */
  final Set<String> bots = new HashSet<>();

  /** Users whom an administrator has blocked. */
  final Set<String> blocked = new HashSet<>();

  private final List<String> users = new ArrayList<>();

  FakePeople() {
    users.add(FakeGitLab.LOGIN);
    members.put(FakeGitLab.LOGIN, 40);
    bots.add(FakeGitLab.LOGIN);
  }

  /** Whoever is named here exists from then on. */
  int id(String login) {
    if (!users.contains(login)) {
      users.add(login);
    }
    return users.indexOf(login) + 1;
  }

  /** A user as others are shown one. */
  ObjectNode basic(String login) {
    return Json.object()
        .put("id", id(login))
        .put("username", login)
        .put("name", login)
        .put("state", blocked.contains(login) ? "blocked" : "active")
        .put("locked", false);
  }

  Reply self(FakeCall call) {
    return Reply.ok(basic(FakeGitLab.LOGIN));
  }

  /** By the whole name alone; case does not matter. */
  Reply find(FakeCall call) {
    members.keySet().forEach(this::id);
    String asked = call.query("username").orElse("");
    return Reply.ok(
        users.stream().filter(u -> u.equalsIgnoreCase(asked)).map(this::basic).toList());
  }

  Reply get(FakeCall call) {
    int number = call.number();
    if (number < 1 || number > users.size()) {
      return Reply.not(404, "404 User Not Found");
    }
    String login = users.get(number - 1);
    return Reply.ok(basic(login).put("bot", bots.contains(login)).put("bio", ""));
  }

  Reply member(FakeCall call) {
    return members.entrySet().stream()
        .filter(m -> id(m.getKey()) == call.number())
        .findFirst()
        .map(m -> Reply.ok(basic(m.getKey()).put("access_level", m.getValue())))
        .orElseGet(Reply::notFound);
  }
}
