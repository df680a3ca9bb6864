package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.GitRepository.Head;
import dev.mainstay.server.forge.GitRepository.Method;
import dev.mainstay.server.forge.Host.Cover;
import dev.mainstay.server.forge.Host.Covers;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostApi.Opened;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.hosted.HostedPull;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import dev.mainstay.server.platform.Sha256;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Pull requests as GitHub shows them. Those of test branches are not among the open ones. */
record Pulls(GitHubClient client, Obstacles obstacles, AtomicReference<String> name) {
  private static final int MOST_OPEN = 10_000;
  private static final String OPEN = "/pulls?state=open&sort=created&direction=asc&per_page=100";

  /**
   * The open ones, page by page; pages that did not change cost nothing, by their ETags. The mark
   * stands for all numbers and heads.
   */
  Opened opened(Optional<String> mark) {
    Map<PullRequestRef, CommitSha> heads =
        new TreeMap<>(Comparator.comparingInt(PullRequestRef::number));
    for (JsonNode json : client.all(OPEN, MOST_OPEN, Pulls::inShort)) {
      saw(json.path("base").path("repo"));
      String sha = json.path("head").path("sha").asString("");
      int number = json.path("number").asInt(0);
      if (number > 0 && isCommit(sha) && !isTest(json)) {
        heads.put(new PullRequestRef(number), new CommitSha(sha));
      }
    }
    String now = HexFormat.of().formatHex(Sha256.of(heads.toString()));
    return mark.equals(Optional.of(now)) ? new Opened.Unchanged() : new Opened.Seen(heads, now);
  }

  /** As much of a pull request in a list as is read here. */
  private static JsonNode inShort(JsonNode pull) {
    ObjectNode json = Json.object();
    json.set("number", pull.path("number"));
    json.set("state", pull.path("state"));
    for (JsonNode label : pull.path("labels")) {
      json.withArray("labels").addObject().put("name", label.path("name").asString(""));
    }
    if (pull.path("auto_merge").isObject()) {
      json.putObject("auto_merge");
    }
    ObjectNode head = json.putObject("head");
    head.set("sha", pull.path("head").path("sha"));
    head.set("ref", pull.path("head").path("ref"));
    head.putObject("repo").set("id", pull.path("head").path("repo").path("id"));
    ObjectNode repo = json.putObject("base").putObject("repo");
    repo.set("id", pull.path("base").path("repo").path("id"));
    json.withObject("base").set("ref", pull.path("base").path("ref"));
    repo.set("full_name", pull.path("base").path("repo").path("full_name"));
    return json;
  }

  /** GitHub answers by the old name too, and tells the new one. */
  void saw(JsonNode repository) {
    name.set(repository.path("full_name").asString(""));
  }

  /** The name of the repository, where it is another one by now. */
  Optional<String> newName() {
    return Optional.of(name.get())
        .filter(n -> n.matches("[A-Za-z0-9._/-]{1,200}"))
        .filter(n -> !n.equalsIgnoreCase(client.address().fullName()));
  }

  private boolean isTest(JsonNode json) {
    return headBranch(json).filter(b -> b.startsWith(RefNames.TEST_BRANCHES)).isPresent();
  }

  Optional<HostedPull> pull(PullRequestRef pr) {
    return json(pr).map(json -> read(pr, json, demands(pr, json)));
  }

  /** Without its obstacles, which take several questions. */
  Optional<HostedPull> plain(PullRequestRef pr) {
    return json(pr).map(json -> read(pr, json, List.of()));
  }

  /** A number that is an issue's is no pull request. */
  Optional<Cover> cover(PullRequestRef pr) {
    Answer answer = client.get("/pulls/" + pr.number());
    if (!answer.ok()) {
      client.mustBeThere();
      return Optional.empty();
    }
    return Optional.of(cover(answer.json()));
  }

  /**
   * All open ones each time, by the pages that looks ask for too: those that did not change cost
   * nothing.
   */
  Covers covers() {
    Map<PullRequestRef, Cover> covers = new HashMap<>();
    for (JsonNode json : client.all(OPEN, MOST_OPEN, Pulls::inShort)) {
      int number = json.path("number").asInt(0);
      if (number > 0 && !isTest(json)) {
        covers.put(new PullRequestRef(number), cover(json));
      }
    }
    return new Covers(covers, "all");
  }

  private static Cover cover(JsonNode json) {
    var labels = new TreeSet<String>();
    for (JsonNode label : json.path("labels")) {
      labels.add(label.path("name").asString(""));
    }
    return new Cover(
        json.path("base").path("ref").asString(""),
        isOpen(status(json)),
        labels,
        json.path("auto_merge").isObject());
  }

  private List<String> demands(PullRequestRef pr, JsonNode json) {
    return status(json) == Forge.Status.OPEN ? obstacles.of(pr, json) : List.of();
  }

  /** Whether GitHub shows it as merged, closed or open, without more. */
  Optional<Forge.Status> status(PullRequestRef pr) {
    return json(pr).map(Pulls::status);
  }

  private Optional<JsonNode> json(PullRequestRef pr) {
    Answer answer = client.get("/pulls/" + pr.number());
    if (answer.status() == 404) {
      client.mustBeThere();
      return Optional.empty();
    }
    return Optional.of(answer.json());
  }

  private HostedPull read(PullRequestRef pr, JsonNode json, List<String> demands) {
    String head = json.path("head").path("sha").asString("");
    String base = json.path("base").path("ref").asString("");
    if (!isCommit(head) || !RefNames.isBranch(base)) {
      throw new ForgeUnavailable(
          "%s does not say where %s stands.".formatted(client.address().host(), pr));
    }
    Forge.Status status = status(json);
    String merged = json.path("merge_commit_sha").asString("");
    return new HostedPull(
        pr,
        new CommitSha(head),
        json.path("title").asString(""),
        json.path("body").asString("").replace("\r\n", "\n").strip(),
        json.path("user").path("login").asString("ghost"),
        client.address().location() + "/pull/" + pr.number(),
        base,
        status,
        demands,
        headBranch(json),
        Optional.of(merged)
            .filter(sha -> status == Forge.Status.MERGED && isCommit(sha))
            .map(CommitSha::new),
        HostJson.count(json.path("changed_files")));
  }

  private static Forge.Status status(JsonNode json) {
    if (json.path("merged").asBoolean(json.path("merged_at").isString())) {
      return Forge.Status.MERGED;
    }
    if (!json.path("state").asString("").equals("open")) {
      return Forge.Status.CLOSED;
    }
    return json.path("draft").asBoolean(false) ? Forge.Status.DRAFT : Forge.Status.OPEN;
  }

  /** The branch of the head where it is one of this repository, which may have another name now. */
  private static Optional<String> headBranch(JsonNode json) {
    JsonNode head = json.path("head");
    JsonNode id = head.path("repo").path("id");
    boolean same = id.isNumber() && id.equals(json.path("base").path("repo").path("id"));
    return Optional.of(head.path("ref").asString("")).filter(ref -> same && RefNames.isBranch(ref));
  }

  private static boolean isCommit(String sha) {
    return !sha.isBlank() && RefNames.isCommit(new CommitSha(sha));
  }

  /** The number of those open pull requests that the filter of GitHub finds, at most a page. */
  int open(String filter) {
    Answer answer = client.get("/pulls?state=open&per_page=10&" + filter);
    return answer.json().size();
  }

  /** Has GitHub merge it, if its head is this one; the answer says whether it did, or lies. */
  Answer merge(Head head, Method method, String message) {
    var body = Json.object().put("sha", head.commit().value());
    switch (method) {
      case SQUASH -> withMessage(body, message).put("merge_method", "squash");
      case MERGE_COMMIT -> withMessage(body, message).put("merge_method", "merge");
      case REBASE -> body.put("merge_method", "rebase");
    }
    return client.send("PUT", "/pulls/" + head.pr().number() + "/merge", body);
  }

  private static ObjectNode withMessage(ObjectNode body, String message) {
    int end = message.indexOf('\n');
    return body.put("commit_title", end < 0 ? message : message.substring(0, end))
        .put("commit_message", end < 0 ? "" : message.substring(end).strip());
  }

  void close(PullRequestRef pr) {
    Answer answer =
        client.send("PATCH", "/pulls/" + pr.number(), Json.object().put("state", "closed"));
    if (!answer.ok() && answer.status() != 404 && status(pr).filter(Pulls::isOpen).isPresent()) {
      throw new ForgeUnavailable(
          "%s does not close %s: %s".formatted(client.address().host(), pr, answer.words()));
    }
  }

  private static boolean isOpen(Forge.Status status) {
    return status == Forge.Status.OPEN || status == Forge.Status.DRAFT;
  }
}
