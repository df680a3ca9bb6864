package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host;
import dev.mainstay.server.forge.Host.Check;
import dev.mainstay.server.forge.Host.Verdict;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Our check on a commit. An App writes a check run, and changes it from then on; who has only a
 * token may not, and writes a commit status.
 */
record OwnCheck(GitHubClient client) {
  private static final int MOST_TEXT = 60_000;
  private static final int MOST_TITLE = 200;
  private static final int MOST_DESCRIPTION = 140;

  void write(Check check) {
    if (!written(check)) {
      throw new ForgeUnavailable(
          "%s does not take a check on %s.".formatted(client.address().host(), check.commit()));
    }
  }

  /** False where GitHub has no such commit, or takes no check on it. */
  boolean written(Check check) {
    Answer answer = client.access().app().isPresent() ? run(check) : status(check);
    return answer.ok();
  }

  private Answer run(Check check) {
    Optional<Long> before = find(check.commit(), check.name());
    ObjectNode body = body(check);
    if (before.isPresent()) {
      Answer changed = client.send("PATCH", "/check-runs/" + before.get(), body);
      if (changed.status() != 404) {
        return changed;
      }
    }
    return client.send("POST", "/check-runs", body.put("head_sha", check.commit().value()));
  }

  private Optional<Long> find(CommitSha commit, String name) {
    String path =
        "/commits/%s/check-runs?filter=latest&check_name=%s&"
            .formatted(commit, GitHubClient.encoded(name));
    for (JsonNode run : client.all(path, "check_runs", 100)) {
      boolean ours = run.path("external_id").asString("").equals(Host.CHECK);
      if (ours && run.path("id").asLong(0) > 0) {
        return Optional.of(run.path("id").asLong(0));
      }
    }
    return Optional.empty();
  }

  private static ObjectNode body(Check check) {
    ObjectNode body = Json.object().put("name", check.name()).put("external_id", Host.CHECK);
    check.url().ifPresent(url -> body.put("details_url", url));
    if (check.verdict() == Verdict.PENDING) {
      body.put("status", "in_progress");
    } else {
      body.put("status", "completed").put("conclusion", conclusion(check.verdict()));
    }
    String title = check.title().isBlank() ? "Mainstay" : cut(check.title(), MOST_TITLE);
    ArrayNode actions = body.putArray("actions");
    for (Host.Button button : check.buttons()) {
      actions
          .addObject()
          .put("label", button.label())
          .put("description", button.description())
          .put("identifier", button.id());
    }
    body.putObject("output").put("title", title).put("summary", cut(check.text(), MOST_TEXT));
    return body;
  }

  /** A neutral one would let in what requires our check. */
  private static String conclusion(Verdict verdict) {
    return switch (verdict) {
      case SUCCESS -> "success";
      case FAILURE, TIMED_OUT -> "failure";
      case NONE, PENDING, CANCELLED -> "cancelled";
    };
  }

  private Answer status(Check check) {
    ObjectNode body = Json.object().put("context", check.name()).put("state", state(check));
    body.put("description", cut(check.title(), MOST_DESCRIPTION));
    check.url().ifPresent(url -> body.put("target_url", url));
    return client.send("POST", "/statuses/" + check.commit(), body);
  }

  private static String state(Check check) {
    return switch (check.verdict()) {
      case SUCCESS -> "success";
      case FAILURE, TIMED_OUT -> "failure";
      case NONE, PENDING, CANCELLED -> "pending";
    };
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }
}
