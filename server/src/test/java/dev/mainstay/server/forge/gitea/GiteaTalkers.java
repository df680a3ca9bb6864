package dev.mainstay.server.forge.gitea;

import static dev.mainstay.server.Waiting.until;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.TestNode;
import dev.mainstay.server.forge.Host.Permission;
import dev.mainstay.server.forge.Host.Reaction;
import dev.mainstay.server.forge.TalkWorld;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;

/** The people of a repository at a real Gitea, which calls by itself. */
record GiteaTalkers(GiteaWorld forge) implements TalkWorld {
  @Override
  public String connection() {
    return "'address':'%s','credentials':{'token':'%s'}"
        .formatted(forge.location(), forge.owner().token());
  }

  @Override
  public String queue() {
    return ",'requiredStatuses':['ci']";
  }

  /** Gitea merges by itself only where something is still to come. */
  @Override
  public void connected(TestNode node, String hookSecret) {
    forge
        .owner()
        .post(
            forge.path() + "/branch_protections",
            Map.of(
                "rule_name",
                "main",
                "enable_push",
                true,
                "enable_status_check",
                true,
                "status_check_contexts",
                List.of("never")));
    forge
        .owner()
        .post(
            forge.path() + "/hooks",
            Map.of(
                "type",
                "gitea",
                "active",
                true,
                "events",
                List.of(
                    "push", "pull_request", "pull_request_comment", "pull_request_label", "status"),
                "config",
                Map.of(
                    "url",
                    "http://127.0.0.1:%d/hooks/gitea".formatted(node.port()),
                    "content_type",
                    "json",
                    "secret",
                    hookSecret)));
  }

  @Override
  public boolean readersLabel() {
    return false;
  }

  @Override
  public void may(String who, Permission permission) {
    forge.as(who);
    forge
        .owner()
        .call(
            "PUT",
            forge.path() + "/collaborators/" + who,
            Map.of("permission", permission.name().toLowerCase(Locale.ROOT)));
  }

  private static String comment(GiteaWorld forge, long id) {
    return forge.path() + "/issues/comments/" + id;
  }

  @Override
  public long say(String who, int pr, String text) {
    return forge
        .as(who)
        .post(forge.path() + "/issues/" + pr + "/comments", Map.of("body", text))
        .path("id")
        .asLong();
  }

  @Override
  public void edit(String who, long id, String text) {
    forge.as(who).patch(comment(forge, id), Map.of("body", text));
  }

  @Override
  public void delete(String who, long id) {
    forge.as(who).delete(comment(forge, id));
  }

  @Override
  public List<Reaction> answers(long id) {
    return forge
        .owner()
        .get(comment(forge, id) + "/reactions")
        .findValuesAsString("content")
        .stream()
        .map(content -> content.equals("+1") ? Reaction.DONE : Reaction.REFUSED)
        .toList();
  }

  @Override
  public List<String> ours(int pr) {
    return forge
        .owner()
        .get(forge.path() + "/issues/" + pr + "/comments")
        .findValuesAsString("body")
        .stream()
        .filter(body -> body.startsWith("<!-- mainstay -->"))
        .toList();
  }

  @Override
  public void label(String who, int pr, String name) {
    long id = 0;
    for (JsonNode label : forge.owner().get(forge.path() + "/labels?limit=50")) {
      id = label.path("name").asString().equals(name) ? label.path("id").asLong() : id;
    }
    if (id == 0) {
      id =
          forge
              .owner()
              .post(forge.path() + "/labels", Map.of("name", name, "color", "#00aabb"))
              .path("id")
              .asLong();
    }
    forge.as(who).post(forge.path() + "/issues/" + pr + "/labels", Map.of("labels", List.of(id)));
  }

  @Override
  public void unlabel(String who, int pr, String name) {
    for (JsonNode label : forge.owner().get(forge.path() + "/issues/" + pr + "/labels")) {
      if (label.path("name").asString().equals(name)) {
        forge
            .as(who)
            .delete(forge.path() + "/issues/" + pr + "/labels/" + label.path("id").asLong());
      }
    }
  }

  @Override
  public Set<String> labels(int pr) {
    return new TreeSet<>(
        forge.owner().get(forge.path() + "/issues/" + pr + "/labels").findValuesAsString("name"));
  }

  /** Gitea asks for another try while it finds out whether the pull request merges. */
  @Override
  public void arm(String who, int pr) {
    Map<String, ?> wish = Map.of("Do", "squash", "merge_when_checks_succeed", true);
    until(
        () -> forge.as(who).call("POST", forge.path(pr) + "/merge", wish),
        answer -> answer.status() < 300);
  }

  @Override
  public void disarm(String who, int pr) {
    forge.as(who).delete(forge.path(pr) + "/merge");
  }

  @Override
  public void report(CommitSha tested, boolean good) {
    forge
        .owner()
        .post(
            forge.path() + "/statuses/" + tested,
            Map.of("context", "ci", "state", good ? "success" : "failure"));
  }

  @Override
  public void close() {
    forge.close();
  }
}
