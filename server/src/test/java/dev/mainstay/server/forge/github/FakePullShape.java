package dev.mainstay.server.forge.github;

import dev.mainstay.server.platform.Json;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.node.ObjectNode;

/** Writes pull requests in the shape of GitHub's answers. */
record FakePullShape(
    String address,
    FakeRepository repository,
    FakeProtection protection,
    AtomicReference<String> name) {
  static final String OWNER = "acme";
  static final String NAME = "app";

  /** The owner and the branch of the head, as GitHub labels it. */
  String label(FakePull pull) {
    return pull.headBranch.map(b -> OWNER + ":" + b).orElseGet(() -> pull.author + ":patch-1");
  }

  ObjectNode brief(FakePull pull) {
    return brief(pull, repository.branches());
  }

  ObjectNode brief(FakePull pull, Map<String, String> branches) {
    ObjectNode json = Json.object().put("id", 9000 + pull.number).put("number", pull.number);
    json.put("node_id", "PR_" + pull.number);
    json.put("html_url", address + "/" + OWNER + "/" + NAME + "/pull/" + pull.number);
    json.put("state", pull.open ? "open" : "closed").put("locked", false);
    json.put("title", pull.title).put("body", pull.body.isEmpty() ? null : pull.body);
    json.set("user", user(pull.author));
    json.put("created_at", "2026-01-01T00:00:00Z").put("updated_at", pull.updated.toString());
    json.put("closed_at", pull.open ? null : pull.updated.toString());
    json.put("merged_at", pull.merged ? pull.updated.toString() : null);
    json.put("merge_commit_sha", pull.mergedAs.orElse(null)).put("draft", pull.draft);
    json.set("head", head(pull));
    json.set("base", base(pull, branches));
    FakeShapes.pull(json, pull.head);
    pull.labels.forEach(label -> json.withArray("labels").add(FakeShapes.label(label)));
    pull.autoMergeBy.ifPresent(
        by ->
            json.putObject("auto_merge")
                .put("merge_method", "squash")
                .put("commit_title", "")
                .put("commit_message", "")
                .set("enabled_by", user(by)));
    return json;
  }

  ObjectNode full(FakePull pull) {
    ObjectNode json = brief(pull);
    json.put("merged", pull.merged);
    boolean unknown = pull.timesUnknown > 0 || !pull.open;
    pull.timesUnknown = Math.max(0, pull.timesUnknown - 1);
    boolean fits =
        repository.branch(pull.base).flatMap(b -> repository.merged(b, pull.head)).isPresent();
    json.put("mergeable", unknown ? null : (Boolean) fits);
    json.put("mergeable_state", unknown ? "unknown" : state(pull, fits));
    json.putNull("rebaseable").putNull("merged_by").put("maintainer_can_modify", false);
    json.put("comments", 0).put("review_comments", 0).put("commits", 1);
    return json.put("changed_files", 1).put("additions", 1).put("deletions", 0);
  }

  private String state(FakePull pull, boolean fits) {
    if (!fits) {
      return "dirty";
    }
    return pull.draft ? "draft" : protection.blocks(pull) ? "blocked" : "clean";
  }

  private ObjectNode head(FakePull pull) {
    String owner = pull.headBranch.isPresent() ? OWNER : pull.author;
    ObjectNode json = Json.object().put("label", label(pull));
    json.put("ref", pull.headBranch.orElse("patch-1")).put("sha", pull.head);
    json.set("user", user(owner));
    json.set("repo", repo(owner, pull.headBranch.isEmpty()));
    return json;
  }

  private ObjectNode base(FakePull pull, Map<String, String> branches) {
    ObjectNode json = Json.object().put("label", OWNER + ":" + pull.base).put("ref", pull.base);
    json.put("sha", branches.getOrDefault(pull.base, "0".repeat(40)));
    json.set("user", user(OWNER));
    json.set("repo", repo(OWNER, false));
    return json;
  }

  static ObjectNode user(String login) {
    return FakeShapes.user(login);
  }

  /** The repository by itself. */
  ObjectNode whole() {
    return FakeShapes.wholeRepository(OWNER, NAME).put("full_name", OWNER + "/" + name.get());
  }

  ObjectNode repo(String owner, boolean fork) {
    return FakeShapes.repository(owner, NAME, fork).put("full_name", owner + "/" + name.get());
  }

  static ObjectNode review(FakePull.Review review) {
    ObjectNode json = Json.object().put("id", 1).put("state", review.state()).put("body", "");
    json.set("user", user(review.login()));
    String own = FakeShapes.repoApi("pulls/1");
    json.put("node_id", "PRR_1").put("html_url", own).put("pull_request_url", own);
    ObjectNode links = json.putObject("_links");
    links.putObject("html").put("href", own);
    links.putObject("pull_request").put("href", own);
    json.put("author_association", "CONTRIBUTOR").put("submitted_at", FakeShapes.THEN);
    return json.put("commit_id", "0".repeat(40));
  }
}
