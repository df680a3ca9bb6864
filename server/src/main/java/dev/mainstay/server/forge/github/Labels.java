package dev.mainstay.server.forge.github;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Deed;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import tools.jackson.databind.JsonNode;

/** Labels and the auto-merge button of pull requests: who set them, and setting labels. */
record Labels(GitHubClient client) {
  private static final int MOST_EVENTS = 3000;
  private static final Set<String> ARMED =
      Set.of("auto_merge_enabled", "auto_squash_enabled", "auto_rebase_enabled");

  Optional<Deed> labelled(PullRequestRef pr, String label) {
    return last(
        pr,
        Set.of("labeled"),
        Set.of("unlabeled"),
        event -> event.path("label").path("name").asString("").equals(label));
  }

  Optional<Deed> armed(PullRequestRef pr) {
    Optional<Deed> told = last(pr, ARMED, Set.of("auto_merge_disabled"), event -> true);
    String by =
        client
            .get("/pulls/" + pr.number())
            .json()
            .path("auto_merge")
            .path("enabled_by")
            .path("login")
            .asString("");
    return by.isEmpty()
        ? told.filter(deed -> !deed.set())
        : Optional.of(new Deed(told.filter(Deed::set).map(Deed::id).orElse(""), by, true));
  }

  /** Events come in their order. */
  private Optional<Deed> last(
      PullRequestRef pr, Set<String> set, Set<String> taken, Predicate<JsonNode> which) {
    String path = "/issues/" + pr.number() + "/events?per_page=100";
    List<JsonNode> events = client.all(path, MOST_EVENTS, Labels::inShort);
    return events.reversed().stream()
        .filter(event -> isOf(event, set) || isOf(event, taken))
        .filter(which)
        .findFirst()
        .map(
            event ->
                new Deed(
                    event.path("id").asString(""),
                    event.path("actor").path("login").asString(""),
                    isOf(event, set)));
  }

  private static boolean isOf(JsonNode event, Set<String> kinds) {
    return kinds.contains(event.path("event").asString(""));
  }

  private static JsonNode inShort(JsonNode event) {
    var json = Json.object().put("id", "" + event.path("id").asLong(0));
    json.put("event", event.path("event").asString(""));
    json.putObject("actor").put("login", event.path("actor").path("login").asString(""));
    json.putObject("label").put("name", event.path("label").path("name").asString(""));
    return json;
  }

  void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    String path = "/issues/" + pr.number() + "/labels";
    for (String label : take) {
      Answer answer =
          client.send("DELETE", path + "/" + GitHubClient.encoded(label), Json.object());
      check(pr, answer);
    }
    if (!set.isEmpty()) {
      var body = Json.object();
      set.forEach(body.putArray("labels")::add);
      check(pr, client.send("POST", path, body));
    }
  }

  private void check(PullRequestRef pr, Answer answer) {
    if (!answer.ok() && answer.status() != 404) {
      throw new ForgeUnavailable(
          "%s does not take a label on %s: %s"
              .formatted(client.address().host(), pr, answer.words()));
    }
  }
}
