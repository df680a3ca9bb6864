package dev.mainstay.bench.crash;

import dev.mainstay.core.code.RepoName;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** The queue that all nodes work on, asked through whichever of them answers. */
record CrashQueue(Fleet fleet) {
  static final RepoName NAME = new RepoName("crash.local", "acme", "shop");
  private static final Map<String, Object> REPO =
      Map.of("host", NAME.host(), "owner", NAME.owner(), "name", NAME.name());

  void connect(Map<String, Object> place) throws InterruptedException {
    var body = new LinkedHashMap<>(place);
    body.put("repo", REPO);
    body.put("testCommand", Repo.TEST_COMMAND);
    fleet.post("connectRepository", body);
  }

  void create(Map<String, Object> settings) throws InterruptedException {
    var body = new LinkedHashMap<>(settings);
    body.put("repo", REPO);
    body.put("targetBranch", "main");
    fleet.post("createQueue", body);
  }

  /** Posts a request about the queue, with these names and values besides. */
  JsonNode post(String path, Object... fields) throws InterruptedException {
    var body = new LinkedHashMap<String, Object>();
    body.put("repo", REPO);
    body.put("targetBranch", "main");
    for (int i = 0; i < fields.length; i += 2) {
      body.put((String) fields[i], fields[i + 1]);
    }
    return fleet.post(path, body);
  }

  /**
   * The entries the queue can do something for; one that conflicts with main waits for an author.
   */
  long open() throws InterruptedException {
    return post("getQueue")
        .path("enqueuedPullRequests")
        .valueStream()
        .filter(pr -> !pr.path("readiness").path("mergeability").asString().equals("NOT_MERGEABLE"))
        .count();
  }

  /** Every submission there ever was. */
  List<JsonNode> history() throws InterruptedException {
    var all = new ArrayList<JsonNode>();
    JsonNode page = post("listPullRequests", "take", 100);
    page.path("pullRequests").forEach(all::add);
    while (page.has("nextCursor")) {
      String cursor = page.path("nextCursor").asString();
      page = post("listPullRequests", "take", 100, "cursor", cursor);
      page.path("pullRequests").forEach(all::add);
    }
    return all;
  }
}
