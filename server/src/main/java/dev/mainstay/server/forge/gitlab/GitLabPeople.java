package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.PullRequestRef;
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
record GitLabPeople(GitLabProject project) {
  /** Nobody sees it who does not look for it; by it and its author our note is found again. */
  static final String MARKER = CommandLines.MARK;

  static final int REPORTER = 20;
  static final int DEVELOPER = 30;
  static final int MAINTAINER = 40;

  private static final int MOST_TEXT = 60_000;
  private static final int MOST_NOTES = 3000;
  private static final Pattern LOGIN = Pattern.compile("[\\w.-]{1,255}");

  /** A line that begins so is done by GitLab, not shown. */
  private static final Pattern ACTION = Pattern.compile("(?m)^(\\s*)/");

  void comment(PullRequestRef pr, String text) {
    String body = MARKER + "\n" + shown(HostJson.cut(text, MOST_TEXT));
    List<JsonNode> ours = ours(pr);
    // Two that wrote the first one at the same moment left one too many.
    ours.stream()
        .skip(1)
        .forEach(note -> project.call("DELETE", notes(pr) + "/" + id(note), Map.of()));
    Optional<JsonNode> before = ours.stream().findFirst();
    if (before.isEmpty()) {
      project.change("POST", notes(pr), Map.of("body", body));
    } else if (!before.get().path("body").asString("").equals(body)) {
      project.change("PUT", notes(pr) + "/" + id(before.get()), Map.of("body", body));
    }
  }

  private static long id(JsonNode note) {
    return note.path("id").asLong(0);
  }

  static String shown(String text) {
    return ACTION.matcher(text).replaceAll("$1\\\\/");
  }

  /** Others may write the marker too. */
  private List<JsonNode> ours(PullRequestRef pr) {
    long own = self().path("id").asLong(-1);
    return project
        .some(notes(pr) + "?sort=asc&order_by=created_at&per_page=100", MOST_NOTES, note -> note)
        .stream()
        .filter(note -> note.path("body").asString("").startsWith(MARKER))
        .filter(note -> note.at("/author/id").asLong(-2) == own)
        .toList();
  }

  private static String notes(PullRequestRef pr) {
    return GitLabProject.request(pr) + "/notes";
  }

  /** The user of the token. */
  JsonNode self() {
    return project.rest().get("/user").json();
  }

  /** The rights of a person, inherited from groups as well. */
  Permission permission(String login) {
    int level = LOGIN.matcher(login).matches() ? number(login).map(this::role).orElse(0) : 0;
    return level >= MAINTAINER
        ? Permission.ADMIN
        : level >= DEVELOPER
            ? Permission.WRITE
            : level >= REPORTER ? Permission.READ : Permission.NONE;
  }

  /** Members are found by their numbers alone: a search for a short name finds too many. */
  private Optional<Long> number(String login) {
    Answer found = project.rest().get("/users?username=" + GitLabPlace.encoded(login));
    return found
        .json()
        .valueStream()
        .filter(user -> user.path("username").asString("").equals(login))
        .map(user -> user.path("id").asLong(0))
        .findFirst();
  }

  private int role(long user) {
    return project
        .find("/members/all/" + user)
        .filter(member -> member.path("state").asString("active").equals("active"))
        .map(member -> member.path("access_level").asInt(0))
        .orElse(0);
  }

  /** The role of the token's user; 0 where it has none. */
  int ownRole() {
    return project
        .findVisible("/members/all/" + self().path("id").asLong(0))
        .map(member -> member.path("access_level").asInt(0))
        .orElse(0);
  }
}
