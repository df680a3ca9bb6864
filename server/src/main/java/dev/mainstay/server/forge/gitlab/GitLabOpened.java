package dev.mainstay.server.forge.gitlab;

import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.hosted.HostApi.Opened;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.platform.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The open merge requests: all of them once, then only what was changed since. GitLab's lists may
 * be behind what a single merge request shows, so for a few that changed that is asked. One that
 * was deleted is in no list of changes: so all are read anew now and then.
 */
final class GitLabOpened {
  private static final String FORM = "/merge_requests?order_by=";
  private static final int MOST_REQUESTS = 20_000;
  private static final int MOST_CHANGES = 1000;
  private static final int MOST_SINGLE = 20;
  private static final int TRIES = 4;
  private static final Duration ALL_ANEW = Duration.ofMinutes(10);

  /** All that were open at a mark. */
  private record Known(OpenedSince mark, Map<PullRequestRef, CommitSha> heads, long readAt) {}

  private final GitLabProject project;
  private Optional<Known> known = Optional.empty();

  GitLabOpened(GitLabProject project) {
    this.project = project;
  }

  synchronized Opened since(Optional<String> text) {
    Optional<OpenedSince> mark = text.flatMap(OpenedSince::read);
    Optional<Known> before = known.filter(k -> System.nanoTime() - k.readAt() < ALL_ANEW.toNanos());
    if (mark.isPresent() && (known.isEmpty() || before.isPresent())) {
      List<JsonNode> changed = changed(mark.get().from());
      OpenedSince next = OpenedSince.of(changed, mark.get().newest());
      if (next.equals(mark.get())) {
        return new Opened.Unchanged();
      }
    }
    Known now = before.flatMap(this::followed).orElseGet(this::all);
    known = Optional.of(now);
    return new Opened.Seen(now.heads(), now.mark().toString());
  }

  /** What was known, with what changed since; empty where that is too much. */
  private Optional<Known> followed(Known before) {
    List<JsonNode> changed = changed(before.mark().from());
    if (changed.size() >= MOST_CHANGES) {
      return Optional.empty();
    }
    Map<PullRequestRef, CommitSha> heads = new HashMap<>(before.heads());
    int asked = 0;
    for (JsonNode request : changed) {
      boolean newer = OpenedSince.changed(request).isAfter(before.mark().newest());
      apply(heads, newer && asked++ < MOST_SINGLE ? single(request) : request);
    }
    OpenedSince mark = OpenedSince.of(changed, before.mark().newest());
    return Optional.of(new Known(mark, Map.copyOf(heads), before.readAt()));
  }

  private JsonNode single(JsonNode listed) {
    return HostJson.number(listed.path("iid"))
        .flatMap(pr -> project.find(GitLabProject.request(pr)))
        .orElse(listed);
  }

  private static void apply(Map<PullRequestRef, CommitSha> heads, JsonNode request) {
    boolean open = GitLabRequests.isOpen(request);
    Optional<CommitSha> head = HostJson.commit(request.path("sha"));
    HostJson.number(request.path("iid"))
        .ifPresent(
            pr -> {
              if (open && head.isPresent()) {
                heads.put(pr, head.get());
              } else {
                heads.remove(pr);
              }
            });
  }

  /**
   * While pages are read, a merge request that is closed moves another to a page that was read
   * already: then all are read once more.
   */
  private Known all() {
    for (int i = 0; i < TRIES; i++) {
      long readAt = System.nanoTime();
      List<JsonNode> newest = project.all(FORM + "updated_at&sort=desc&state=all&per_page=1", 1);
      OpenedSince start = OpenedSince.of(newest, Instant.EPOCH);
      List<JsonNode> all =
          project
              .rest()
              .all(
                  "/projects/"
                      + project.id()
                      + FORM
                      + "created_at&sort=asc&state=opened&per_page=100",
                  MOST_REQUESTS + 1,
                  GitLabOpened::part);
      if (all.size() > MOST_REQUESTS) {
        throw new ForgeUnavailable(
            "The project %s has more than %,d open merge requests: close those that nobody wants."
                .formatted(project.place(), MOST_REQUESTS));
      }
      List<JsonNode> changed = changed(start.from());
      boolean shifted =
          changed.stream()
              .filter(request -> OpenedSince.changed(request).isAfter(start.newest()))
              .anyMatch(request -> !GitLabRequests.isOpen(request));
      if (!shifted || all.size() < 100) {
        Map<PullRequestRef, CommitSha> heads = new HashMap<>();
        all.forEach(request -> apply(heads, request));
        changed.forEach(request -> apply(heads, request));
        return new Known(OpenedSince.of(changed, start.newest()), Map.copyOf(heads), readAt);
      }
    }
    throw new ForgeUnavailable(
        "The merge requests of %s change while they are read.".formatted(project.place()));
  }

  /** Open or not, the newest change first. */
  private List<JsonNode> changed(Instant from) {
    return project.all(
        FORM + "updated_at&sort=desc&state=all&per_page=100&updated_after=" + from, MOST_CHANGES);
  }

  private static JsonNode part(JsonNode request) {
    return Json.object()
        .put("iid", request.path("iid").asInt(0))
        .put("state", request.path("state").asString(""))
        .put("sha", request.path("sha").asString(""));
  }
}
