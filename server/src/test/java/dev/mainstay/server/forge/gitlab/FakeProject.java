package dev.mainstay.server.forge.gitlab;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mainstay.server.forge.github.FakeRepository;
import dev.mainstay.server.forge.gitlab.FakeCall.Reply;
import dev.mainstay.server.platform.Json;
import java.net.URLDecoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import tools.jackson.databind.node.ObjectNode;

/** The project of the fake beside its merge requests: settings, branches, hooks. */
final class FakeProject {
  private final FakeRepository repository;
  final ObjectNode settings = Json.object();
  final Set<String> protectedBranches = new TreeSet<>();
  final Set<String> closedToPushes = new TreeSet<>();
  final List<ObjectNode> hooks = new ArrayList<>();
  final ObjectNode token = Json.object();
  boolean hasCiFile = true;
  String path = FakeGitLab.PATH;

  FakeProject(FakeRepository repository) {
    this.repository = repository;
    token.put("id", 1).put("name", "queue").put("revoked", false).put("active", true);
    token.putArray("scopes").add("api").add("write_repository");
    token.put("expires_at", "2099-01-01");
    settings.put("merge_method", "merge").put("builds_access_level", "enabled");
    settings.put("only_allow_merge_if_pipeline_succeeds", false).put("archived", false);
    settings.put("merge_requests_enabled", true).put("ci_config_path", "");
  }

  Reply itself(FakeCall call) {
    ObjectNode json = settings.deepCopy().put("id", FakeRequests.PROJECT);
    json.put("path_with_namespace", path).put("default_branch", "main");
    return Reply.ok(json.put("empty_repo", repository.branches().isEmpty()));
  }

  Reply branch(FakeCall call) {
    String name = decoded(call.parts().getFirst());
    Optional<String> at = repository.branch(name);
    if (at.isEmpty()) {
      return Reply.not(404, "404 Branch Not Found");
    }
    ObjectNode json = Json.object().put("name", name);
    json.put("protected", protectedBranches.contains(name));
    json.put("can_push", !closedToPushes.contains(name)).put("default", name.equals("main"));
    json.putObject("commit").put("id", at.get()).put("short_id", at.get().substring(0, 8));
    return Reply.ok(json);
  }

  static String decoded(String part) {
    return URLDecoder.decode(part, UTF_8);
  }

  Reply protectedBranches(FakeCall call) {
    return Reply.ok(
        protectedBranches.stream().map(name -> Json.object().put("name", name)).toList());
  }

  Reply file(FakeCall call) {
    return hasCiFile && decoded(call.parts().getFirst()).equals(".gitlab-ci.yml")
        ? Reply.ok(Json.object().put("file_name", ".gitlab-ci.yml"))
        : Reply.not(404, "404 File Not Found");
  }

  Reply hooks(FakeCall call) {
    return Reply.ok(hooks);
  }

  Reply token(FakeCall call) {
    return Reply.ok(token);
  }
}
