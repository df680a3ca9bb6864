package dev.mainstay.server.event;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The pages of the web app that events point at. */
record Pages(URI publicUrl) {

  /** Adds links to whatever an event is about. */
  void link(EventStore.Repo repo, ObjectNode data) {
    ObjectNode links = data.putObject("links");
    String base = "%s/%s/%s/%s".formatted(publicUrl, repo.organization(), repo.host(), path(repo));
    links.put("repository", base);
    JsonNode branch = data.path("queue").path("targetBranch");
    if (branch.isString()) {
      String queue = base + "/queues/" + encoded(branch.asString());
      links.put("queue", queue);
      if (data.path("pullRequest").has("number")) {
        links.put("pullRequest", queue + "/pulls/" + data.path("pullRequest").path("number"));
      }
    }
    JsonNode run = data.path("testRun").path("id");
    if (run.isString()) {
      links.put("testRun", base + "/runs/" + run.asString());
    }
    JsonNode test = data.path("test_case").path("id");
    if (test.isString()) {
      links.put("test", base + "/tests/" + test.asString());
    }
  }

  private static String path(EventStore.Repo repo) {
    return Arrays.stream((repo.owner() + "/" + repo.name()).split("/", -1))
        .map(Pages::encoded)
        .collect(Collectors.joining("/"));
  }

  private static String encoded(String part) {
    return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
