package dev.mainstay.server.forge.github;

import dev.mainstay.server.platform.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Users, repositories, commits and Apps with all that GitHub's description says they have, so that
 * answers are whole. What nobody reads is the same everywhere.
 */
final class FakeShapes {
  static final String THEN = "2026-01-01T00:00:00Z";
  private static final String WEB = "https://github.example/";
  private static final String API = WEB + "api/v3/";

  private static final String OF_USER =
      "avatar events followers following gists html organizations received_events repos starred"
          + " subscriptions";
  private static final String OF_REPOSITORY =
      "archive assignees blobs branches collaborators comments commits compare contents contributors"
          + " deployments downloads events forks git_commits git_refs git_tags hooks html"
          + " issue_comment issue_events issues keys labels languages merges milestones notifications"
          + " pulls releases stargazers statuses subscribers subscription tags teams trees";

  private FakeShapes() {}

  static String api(String path) {
    return API + path.replaceAll("[^A-Za-z0-9/._-]", "-");
  }

  static String repoApi(String path) {
    return api("repos/acme/app/" + path);
  }

  /** Puts addresses that end with these words under their names, and the object's own. */
  private static ObjectNode addresses(ObjectNode json, String own, String words) {
    for (String word : words.split(" ", -1)) {
      json.put(word + "_url", own + "/" + word);
    }
    return json.put("url", own);
  }

  private static ObjectNode all(ObjectNode json, JsonNode value, String names) {
    for (String name : names.split(" ", -1)) {
      json.set(name, value);
    }
    return json;
  }

  private static ObjectNode zero(ObjectNode json, String names) {
    return all(json, Json.object().put("zero", 0).get("zero"), names);
  }

  private static ObjectNode nothing(ObjectNode json, String names) {
    return all(json, Json.object().putNull("nothing").get("nothing"), names);
  }

  static int id(String name) {
    return name.hashCode() & Integer.MAX_VALUE;
  }

  static ObjectNode user(String login) {
    ObjectNode json = Json.object().put("login", login).put("id", id(login));
    json.put("node_id", "U_" + id(login)).put("gravatar_id", "");
    json.put("type", login.endsWith("[bot]") ? "Bot" : "User").put("site_admin", false);
    return addresses(json, api("users/" + login), OF_USER);
  }

  /** The user that a token is of. */
  static ObjectNode self(String login) {
    ObjectNode json = user(login).put("user_view_type", "public").put("name", login);
    nothing(json, "bio blog company email hireable location");
    zero(json, "followers following public_gists public_repos");
    return json.put("created_at", THEN).put("updated_at", THEN);
  }

  /** As it stands inside of other answers. */
  static ObjectNode minimalRepository(String owner, String name, boolean fork) {
    String path = owner + "/" + name;
    ObjectNode json = Json.object().put("id", id(owner)).put("name", name);
    json.put("node_id", "R_" + id(owner)).put("full_name", path);
    json.put("private", true).put("fork", fork).putNull("description");
    json.set("owner", user(owner));
    return addresses(json, api("repos/" + path), OF_REPOSITORY);
  }

  static ObjectNode repository(String owner, String name, boolean fork) {
    ObjectNode json = minimalRepository(owner, name, fork);
    for (String kind : List.of("clone", "git", "ssh", "svn")) {
      json.put(kind + "_url", WEB + owner.replaceAll("[^A-Za-z0-9-]", "-") + "/" + name);
    }
    zero(json, "forks forks_count open_issues open_issues_count size stargazers_count");
    zero(json, "watchers watchers_count");
    for (String has : List.of("issues", "projects", "wiki", "pages", "downloads", "discussions")) {
      json.put("has_" + has, false);
    }
    nothing(json, "homepage language license mirror_url");
    json.put("default_branch", "main").put("archived", false).put("disabled", false);
    json.put("pushed_at", THEN).put("created_at", THEN).put("updated_at", THEN);
    return json.put("allow_squash_merge", true);
  }

  /** As it is answered by itself. */
  static ObjectNode wholeRepository(String owner, String name) {
    return zero(repository(owner, name, false), "network_count subscribers_count");
  }

  static ObjectNode commit(String sha) {
    String own = repoApi("commits/" + sha);
    ObjectNode json = Json.object().put("sha", sha).put("node_id", "C_" + sha).put("url", own);
    json.put("html_url", own).put("comments_url", own + "/comments");
    ObjectNode inside = json.putObject("commit").put("message", "").put("comment_count", 0);
    nothing(inside, "author committer").put("url", own);
    inside.putObject("tree").put("sha", sha).put("url", own);
    nothing(json, "author committer").putArray("parents");
    return json;
  }

  static ObjectNode app(int id, String slug) {
    ObjectNode json = Json.object().put("id", id).put("slug", slug).put("name", slug);
    json.put("node_id", "A_" + id).putNull("description");
    json.put("external_url", WEB + slug).put("html_url", WEB + slug);
    json.put("created_at", THEN).put("updated_at", THEN);
    json.set("owner", user("acme"));
    json.putObject("permissions").put("metadata", "read");
    json.putArray("events");
    return json;
  }

  /** A file or folder, as it is listed. */
  static ObjectNode entry(String type, String path) {
    String own = repoApi("contents/" + path);
    ObjectNode json = Json.object().put("type", type).put("path", path).put("url", own);
    json.put("name", path.substring(path.lastIndexOf('/') + 1)).put("sha", "0".repeat(40));
    json.put("size", 0).put("git_url", own).put("html_url", own).put("download_url", own);
    json.putObject("_links").put("self", own).put("git", own).put("html", own);
    return json;
  }

  static ObjectNode label(String name) {
    ObjectNode json = Json.object().put("id", id(name)).put("node_id", "L_" + id(name));
    json.put("url", repoApi("labels/" + id(name))).put("name", name).put("color", "8b949e");
    return json.put("default", false).put("description", "");
  }

  /** Something that was done to an issue. */
  static ObjectNode event(FakePull.Event event) {
    ObjectNode json = Json.object().put("id", event.id()).put("node_id", "EV_" + event.id());
    json.put("url", repoApi("issues/events/" + event.id())).put("event", event.kind());
    json.set("actor", user(event.who()));
    nothing(json, "commit_id commit_url performed_via_github_app").put("created_at", THEN);
    if (!event.label().isEmpty()) {
      json.putObject("label").put("name", event.label()).put("color", "8b949e");
    }
    return json;
  }

  /** What a pull request has besides what is known of it. */
  static ObjectNode pull(ObjectNode json, String head) {
    String own = repoApi("pulls/" + json.get("number").asInt());
    String issue = repoApi("issues/" + json.get("number").asInt());
    String statuses = repoApi("statuses/" + head);
    json.put("url", own).put("issue_url", issue).put("statuses_url", statuses);
    json.put("diff_url", own + ".diff").put("patch_url", own + ".patch");
    json.put("commits_url", own + "/commits").put("comments_url", issue + "/comments");
    json.put("review_comments_url", own + "/comments").put("review_comment_url", own);
    ObjectNode links = json.putObject("_links");
    for (String name :
        List.of("comments", "commits", "statuses", "html", "issue", "self", "review_comment")) {
      links.putObject(name).put("href", own);
    }
    links.putObject("review_comments").put("href", own);
    nothing(json, "assignee milestone auto_merge").putArray("labels");
    return json.put("author_association", "CONTRIBUTOR");
  }
}
