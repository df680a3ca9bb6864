package dev.mainstay.server.forge.github;

import dev.mainstay.server.forge.github.FakeRoute.Call;
import dev.mainstay.server.forge.github.FakeRoute.Reply;
import dev.mainstay.server.platform.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The protection of the branch main: the classic one, and rules. */
final class FakeProtection {
  /** A required check, and the App that alone may satisfy it; 0 for anybody. */
  record Required(String context, int app) {}

  private final FakeRepository repository;
  private final FakeChecks checks;
  final List<Required> classic = new ArrayList<>();
  final List<Required> ruled = new ArrayList<>();
  final Set<String> protectedBranches = new TreeSet<>();
  int approvals;
  boolean resolvedConversations;
  boolean restrictsUpdates;

  FakeProtection(FakeRepository repository, FakeChecks checks) {
    this.repository = repository;
    this.checks = checks;
  }

  boolean blocks(FakePull pull) {
    return pull.base.equals("main")
        && (!pull.isApproved(approvals)
            || (resolvedConversations && pull.openConversations > 0)
            || restrictsUpdates
            || !classic.stream().allMatch(r -> checks.passed(pull.head, r.context()))
            || !ruled.stream().allMatch(r -> checks.passed(pull.head, r.context())));
  }

  Reply branch(Call call) {
    String name = call.parts().getFirst();
    Optional<String> at = repository.branch(name);
    if (at.isEmpty()) {
      return Reply.not(404, "Branch not found");
    }
    boolean isMain = name.equals("main");
    ObjectNode json = Json.object().put("name", name);
    json.set("commit", FakeShapes.commit(at.get()));
    String own = FakeShapes.repoApi("branches/" + name);
    json.put("protection_url", own + "/protection");
    json.putObject("_links").put("self", own).put("html", own);
    json.put(
        "protected",
        protectedBranches.contains(name)
            || (isMain && !(classic.isEmpty() && ruled.isEmpty() && approvals == 0)));
    ObjectNode protection = json.putObject("protection");
    protection.put("enabled", isMain && !classic.isEmpty());
    ObjectNode required = protection.putObject("required_status_checks");
    required.put("enforcement_level", classic.isEmpty() ? "off" : "non_admins");
    ArrayNode contexts = required.putArray("contexts");
    ArrayNode list = required.putArray("checks");
    for (Required check : isMain ? classic : List.<Required>of()) {
      contexts.add(check.context());
      list.add(Json.object().put("context", check.context()).put("app_id", app(check)));
    }
    return Reply.ok(json);
  }

  private static @Nullable Integer app(Required check) {
    return check.app() == 0 ? null : (Integer) check.app();
  }

  Reply rules(Call call) {
    var rules = new ArrayList<ObjectNode>();
    if (!call.parts().getFirst().equals("main")) {
      return Reply.ok(rules);
    }
    if (!ruled.isEmpty()) {
      ObjectNode parameters = rule(rules, "required_status_checks");
      parameters.put("strict_required_status_checks_policy", false);
      ArrayNode list = parameters.putArray("required_status_checks");
      for (Required check : ruled) {
        ObjectNode one = Json.object().put("context", check.context());
        list.add(check.app() == 0 ? one : one.put("integration_id", check.app()));
      }
    }
    if (approvals > 0 || resolvedConversations) {
      ObjectNode parameters = rule(rules, "pull_request");
      parameters.put("required_approving_review_count", approvals);
      parameters.put("required_review_thread_resolution", resolvedConversations);
      parameters.put("dismiss_stale_reviews_on_push", true);
      parameters.put("require_code_owner_review", false).put("require_last_push_approval", false);
    }
    if (restrictsUpdates) {
      rule(rules, "update").put("update_allows_fetch_and_merge", false);
    }
    return Reply.ok(rules);
  }

  private static ObjectNode rule(List<ObjectNode> rules, String type) {
    ObjectNode rule = Json.object().put("type", type).put("ruleset_source_type", "Repository");
    rule.put("ruleset_source", "acme/app").put("ruleset_id", 42);
    rules.add(rule);
    return rule.putObject("parameters");
  }
}
