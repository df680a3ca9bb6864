package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.Host.Cover;
import dev.mainstay.server.forge.Host.Covers;
import dev.mainstay.server.forge.Host.Deed;
import dev.mainstay.server.forge.RefNames;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.rest.Answer;
import dev.mainstay.server.platform.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Labels of merge requests, and their merge by GitLab itself. What changes on a merge request,
 * changes its time: the mark is the newest of those, by GitLab's own clock, and what was changed in
 * the last seconds before it is told again.
 */
record GitLabCovers(GitLabProject project, GitLabPeople people) {
  private static final String LIST = "/merge_requests?per_page=100";
  private static final int MOST_OPEN = 20_000;
  private static final int MOST_CHANGES = 1000;
  private static final int MOST_EVENTS = 3000;
  private static final Duration LAST_SECONDS = Duration.ofSeconds(10);
  private static final String NEWEST = "&state=all&order_by=updated_at&sort=desc";

  /** Who took a merge back is said by a note of the system alone. */
  private static final String TAKEN_BACK = "canceled the automatic merge";

  private static final String ABOUT = " the automatic merge";
  private static final String ARMED = "enabled an automatic merge";

  Covers since(Optional<String> mark) {
    Optional<Instant> since =
        mark.filter(m -> m.matches("\\d{1,15}")).map(m -> Instant.ofEpochMilli(Long.parseLong(m)));
    List<JsonNode> changed =
        since
            .map(at -> read(NEWEST + "&updated_after=" + from(at), MOST_CHANGES))
            .orElse(List.of());
    return since.isPresent() && changed.size() < MOST_CHANGES
        ? covers(changed, newest(changed, since.get()))
        : all();
  }

  private static Instant from(Instant mark) {
    Instant from = mark.minus(LAST_SECONDS);
    return from.isBefore(Instant.EPOCH) ? Instant.EPOCH : from;
  }

  /** What changes while they are read is told next. */
  private Covers all() {
    List<JsonNode> last = project.all("/merge_requests?per_page=1" + NEWEST, 1);
    Instant mark = newest(last, Instant.EPOCH);
    return covers(read("&state=opened&order_by=created_at&sort=asc", MOST_OPEN), mark);
  }

  private List<JsonNode> read(String which, int most) {
    return project.rest().all("/projects/" + project.id() + LIST + which, most, GitLabCovers::part);
  }

  private static Instant newest(List<JsonNode> requests, Instant atLeast) {
    return requests.stream()
        .map(OpenedSince::changed)
        .filter(at -> at.isAfter(atLeast))
        .max(Comparator.naturalOrder())
        .orElse(atLeast);
  }

  private static Covers covers(List<JsonNode> requests, Instant mark) {
    Map<PullRequestRef, Cover> covers = new HashMap<>();
    for (JsonNode request : requests) {
      HostJson.number(request.path("iid"))
          .filter(any -> !isOfTest(request))
          .ifPresent(pr -> covers.put(pr, cover(request)));
    }
    return new Covers(covers, String.valueOf(mark.toEpochMilli()));
  }

  private static boolean isOfTest(JsonNode request) {
    return GitLabRequests.isOwn(request)
        && request.path("source_branch").asString("").startsWith(RefNames.TEST_BRANCHES);
  }

  private static JsonNode part(JsonNode request) {
    ObjectNode part = Json.object();
    List.of(
            "iid",
            "state",
            "source_branch",
            "source_project_id",
            "target_project_id",
            "target_branch",
            "updated_at",
            "labels",
            "merge_when_pipeline_succeeds")
        .forEach(name -> part.set(name, request.path(name)));
    return part;
  }

  Optional<Cover> cover(PullRequestRef pr) {
    return project.find(GitLabProject.request(pr)).map(GitLabCovers::cover);
  }

  private static Cover cover(JsonNode request) {
    return new Cover(
        HostJson.branch(request.path("target_branch")).orElse(""),
        GitLabRequests.isOpen(request),
        new HashSet<>(HostJson.names(request.path("labels"))),
        isArmed(request));
  }

  private static boolean isArmed(JsonNode request) {
    return request.path("merge_when_pipeline_succeeds").asBoolean(false);
  }

  Optional<Deed> labelled(PullRequestRef pr, String label) {
    String path = GitLabProject.request(pr) + "/resource_label_events?per_page=100";
    return project.some(path, MOST_EVENTS, GitLabCovers::inShort).stream()
        .filter(event -> event.at("/label/name").asString("").equals(label))
        .max(Comparator.comparingLong(event -> event.path("id").asLong(0)))
        .map(
            event ->
                new Deed(
                    String.valueOf(event.path("id").asLong(0)),
                    event.at("/user/username").asString(""),
                    event.path("action").asString("").equals("add")));
  }

  private static JsonNode inShort(JsonNode event) {
    ObjectNode json = Json.object().put("id", event.path("id").asLong(0));
    json.put("action", event.path("action").asString(""));
    json.putObject("label").put("name", event.at("/label/name").asString(""));
    json.putObject("user").put("username", event.at("/user/username").asString(""));
    return json;
  }

  /** Where GitLab itself gave it up, such as for a push, nobody is known to have done it. */
  Optional<Deed> armed(PullRequestRef pr) {
    Optional<JsonNode> request = project.find(GitLabProject.request(pr));
    if (request.filter(GitLabCovers::isArmed).isPresent()) {
      String who = request.get().at("/merge_user/username").asString("");
      return Optional.of(new Deed("", who, true));
    }
    return request.flatMap(any -> takenBack(pr));
  }

  private Optional<Deed> takenBack(PullRequestRef pr) {
    String path =
        GitLabProject.request(pr)
            + "/notes?activity_filter=only_activity&sort=desc&order_by=created_at&per_page=100";
    return project.some(path, 100, note -> note).stream()
        .filter(note -> note.path("system").asBoolean(false))
        .filter(note -> isAbout(note.path("body").asString("")))
        .findFirst()
        .filter(note -> note.path("body").asString("").equals(TAKEN_BACK))
        .map(
            note ->
                new Deed(
                    String.valueOf(note.path("id").asLong(0)),
                    note.at("/author/username").asString(""),
                    false));
  }

  private static boolean isAbout(String text) {
    return text.startsWith(ARMED) || text.contains(ABOUT);
  }

  /** GitLab says that it is done even where it is not: only the merge request tells. */
  boolean disarm(PullRequestRef pr) {
    Optional<JsonNode> request = project.find(GitLabProject.request(pr));
    if (request.filter(r -> GitLabRequests.isOpen(r) && isArmed(r)).isEmpty()) {
      String self = people.self().path("username").asString("");
      return request.isEmpty() || takenBack(pr).filter(d -> !d.who().equals(self)).isEmpty();
    }
    project.call(
        "POST", GitLabProject.request(pr) + "/cancel_merge_when_pipeline_succeeds", Map.of());
    if (cover(pr).filter(c -> c.open() && c.armed()).isPresent()) {
      throw new ForgeUnavailable(
          "The host of %s does not take back its own merge of %s."
              .formatted(project.place(), GitLabProject.request(pr)));
    }
    return true;
  }

  /** Labels that are not there are made by that. */
  void label(PullRequestRef pr, Set<String> set, Set<String> take) {
    Map<String, String> body = new HashMap<>();
    if (!set.isEmpty()) {
      body.put("add_labels", String.join(",", set));
    }
    if (!take.isEmpty()) {
      body.put("remove_labels", String.join(",", take));
    }
    if (body.isEmpty()) {
      return;
    }
    Answer answer = project.call("PUT", GitLabProject.request(pr), body);
    if (!answer.ok() && answer.status() != 404) {
      throw new ForgeUnavailable(
          "The host of %s does not take a label: %s (%d)."
              .formatted(project.place(), GitLabProject.words(answer), answer.status()));
    }
  }
}
