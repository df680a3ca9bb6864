package dev.mainstay.server.forge.gitea;

import dev.mainstay.server.forge.Finding;
import dev.mainstay.server.forge.hosted.HostJson;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A branch that a queue lands on, as it is set up. The rules are there where we may see them,
 * {@code login} is who pushes.
 */
record GiteaTarget(String name, String login, Optional<List<JsonNode>> rules) {
  List<Finding> findings(Optional<JsonNode> branch) {
    if (branch.isEmpty()) {
      return List.of(
          Finding.missing(
              "There is no branch %s.".formatted(name), "Push it, or name another for the queue."));
    }
    var found = new ArrayList<Finding>();
    found.add(push(branch.get()));
    found.add(others(branch.get()));
    found.addAll(checks(GiteaProtection.required(branch.get())));
    return found;
  }

  private Finding push(JsonNode branch) {
    return branch.path("user_can_push").asBoolean(false)
        ? Finding.good("%s may push to %s.".formatted(login, name))
        : Finding.missing(
            "%s may not push to %s: nothing can land there.".formatted(login, name),
            "Add %s to those who may push in the protection of %s (push_whitelist_usernames)."
                .formatted(login, name));
  }

  private Finding others(JsonNode branch) {
    String mend =
        "Protect %s, and let only %s push to it (enable_push_whitelist).".formatted(name, login);
    if (!branch.path("protected").asBoolean(false)) {
      return Finding.advice(
          "%s is not protected: others can push to it past the queue.".formatted(name), mend);
    }
    Optional<JsonNode> rule =
        rules.flatMap(
            all ->
                GiteaRules.of(all, branch.path("effective_branch_protection_name").asString("")));
    return rule.filter(r -> !isOnlyOurs(r))
        .map(_ -> Finding.advice("Others than %s can push to %s.".formatted(login, name), mend))
        .orElse(Finding.good("%s is protected.".formatted(name)));
  }

  private boolean isOnlyOurs(JsonNode rule) {
    boolean pushes = rule.path("enable_push").asBoolean(false);
    return !pushes
        || (rule.path("enable_push_whitelist").asBoolean(false)
            && HostJson.names(rule.path("push_whitelist_teams")).isEmpty()
            && HostJson.names(rule.path("push_whitelist_usernames")).stream()
                .allMatch(login::equals));
  }

  private List<Finding> checks(List<String> required) {
    if (required.isEmpty()) {
      return List.of(Finding.good("%s requires no checks of others.".formatted(name)));
    }
    var found = new ArrayList<Finding>();
    found.add(
        Finding.advice(
            "%s requires %s. Whether they run on test branches is not to be seen."
                .formatted(name, String.join(", ", required)),
            "Let CI run on pushes to mainstay/**, or name other required statuses for the queue."));
    for (String pattern : required.stream().filter(GiteaGlob::isPattern).toList()) {
      found.add(
          Finding.advice(
              "%s requires checks by the pattern %s: all that match count together, and at least"
                      .formatted(name, pattern)
                  + " one must report.",
              "Name each check, so that none can be forgotten."));
    }
    return found;
  }
}
