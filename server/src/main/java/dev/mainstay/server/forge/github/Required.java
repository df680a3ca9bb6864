package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi;
import dev.mainstay.server.forge.rest.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * The rules of branches, as far as they can be read without the rights of an administrator: the
 * checks of the classic protection and those of rulesets, and the other rules. Our own check is
 * never among them: we would wait for ourselves.
 */
final class Required {
  private static final int MOST_RULES = 500;

  private final GitHubClient client;

  /** The Apps that alone may satisfy a check, by its name, of all branches that were asked for. */
  private final Map<String, Long> apps = new ConcurrentHashMap<>();

  Required(GitHubClient client) {
    this.client = client;
  }

  /** Empty where the branch requires none. */
  Optional<List<String>> checks(String branch) {
    if (!RefNames.isBranch(branch)) {
      return Optional.empty();
    }
    Map<String, Long> found = new LinkedHashMap<>();
    JsonNode classic = branch(branch).path("protection").path("required_status_checks");
    classic.path("contexts").forEach(c -> add(found, c.asString(""), 0));
    classic
        .path("checks")
        .forEach(c -> add(found, c.path("context").asString(""), c.path("app_id").asLong(0)));
    for (JsonNode rule : rules(branch)) {
      rule.path("parameters")
          .path("required_status_checks")
          .forEach(
              c -> add(found, c.path("context").asString(""), c.path("integration_id").asLong(0)));
    }
    found.forEach(this::remember);
    return found.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(found.keySet()));
  }

  private static void add(Map<String, Long> found, String name, long app) {
    if (!name.isBlank() && !name.equals(HostApi.CHECK)) {
      found.merge(name, Math.max(app, 0), Math::max);
    }
  }

  private void remember(String name, long app) {
    if (app > 0) {
      apps.put(name, app);
    } else {
      apps.remove(name);
    }
  }

  /** True unless a rule asks for this check by another App. */
  boolean counts(String name, long app) {
    Long wanted = apps.get(name);
    return wanted == null || wanted == app;
  }

  /** The branch as GitHub shows it; an empty object where there is none. */
  JsonNode branch(String name) {
    return client.get("/branches/" + GitHubClient.inPath(name)).json();
  }

  /** All active rules of a branch. */
  List<JsonNode> rules(String branch) {
    Answer answer = client.get("/rules/branches/" + GitHubClient.inPath(branch) + "?per_page=100");
    if (answer.status() == 404) {
      return List.of(); // an Enterprise Server from before there were rules
    }
    if (!answer.ok()) {
      throw new ForgeUnavailable(
          "%s does not tell the rules of %s.".formatted(client.address().host(), branch));
    }
    var rules = new ArrayList<JsonNode>();
    answer.json().forEach(rules::add);
    return List.copyOf(rules.subList(0, Math.min(MOST_RULES, rules.size())));
  }
}
