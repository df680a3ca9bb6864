package dev.mainstay.server.forge.gitlab;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.mainstay.core.code.CommitSha;
import dev.mainstay.core.code.PullRequestRef;
import dev.mainstay.server.forge.Forge.Status;
import dev.mainstay.server.forge.ForgeUnavailable;
import dev.mainstay.server.forge.hosted.HostJson;
import dev.mainstay.server.forge.hosted.HostedPull;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * Merge requests, one at a time. Every push to the target makes GitLab look at all of them again,
 * which takes a while: until it knows, what it said last of the same head counts.
 */
final class GitLabRequests {
  private static final int MOST_TITLE = 1000;
  private static final int MOST_DESCRIPTION = 200_000;
  private static final int MOST_LOGIN = 255;
  private static final int MOST_KNOWN = 20_000;
  private static final Pattern DRAFT =
      Pattern.compile("^(\\s*(draft:|\\[draft]|\\(draft\\)))+\\s*", Pattern.CASE_INSENSITIVE);

  /** The obstacles of a merge request at one of its heads. */
  private record Said(CommitSha head, List<String> obstacles) {}

  private final GitLabProject project;
  private final Patience patience;
  private final Cache<PullRequestRef, Said> said =
      Caffeine.newBuilder().maximumSize(MOST_KNOWN).build();

  GitLabRequests(GitLabProject project, Patience patience) {
    this.project = project;
    this.patience = patience;
  }

  Optional<JsonNode> raw(PullRequestRef pr) {
    return project.find(GitLabProject.request(pr));
  }

  /** Asked for by itself, GitLab begins to find out what it does not know. */
  Optional<HostedPull> find(PullRequestRef pr) {
    return raw(pr).map(first -> read(pr, patient(pr, first)));
  }

  private JsonNode patient(PullRequestRef pr, JsonNode first) {
    JsonNode now = first;
    for (int i = 0; i < 2 && isOpen(now) && MergeStatus.isNotYet(now) && !isSaid(pr, now); i++) {
      patience.pause();
      now = raw(pr).orElse(now);
    }
    return now;
  }

  private boolean isSaid(PullRequestRef pr, JsonNode request) {
    return last(pr, request).isPresent();
  }

  private Optional<Said> last(PullRequestRef pr, JsonNode request) {
    return Optional.ofNullable(said.getIfPresent(pr))
        .filter(s -> HostJson.commit(request.path("sha")).equals(Optional.of(s.head())));
  }

  Optional<HostedPull> plain(PullRequestRef pr) {
    return raw(pr).map(request -> read(pr, request));
  }

  private HostedPull read(PullRequestRef pr, JsonNode request) {
    CommitSha head = HostJson.commit(request.path("sha")).orElseThrow(() -> unreadable(pr, "head"));
    Status status = status(request);
    String title = HostJson.text(request.path("title"), MOST_TITLE);
    return new HostedPull(
        pr,
        head,
        status == Status.DRAFT ? DRAFT.matcher(title).replaceFirst("") : title,
        HostJson.text(request.path("description"), MOST_DESCRIPTION).replace("\r\n", "\n"),
        HostJson.text(request.at("/author/username"), MOST_LOGIN),
        HostJson.url(request.path("web_url"))
            .orElse(project.place().location() + "/-" + GitLabProject.request(pr)),
        HostJson.branch(request.path("target_branch")).orElseThrow(() -> unreadable(pr, "target")),
        status,
        status == Status.OPEN ? obstacles(pr, head, request) : List.of(),
        headBranch(request),
        mergedAs(request),
        HostJson.count(request.path("changes_count")));
  }

  private List<String> obstacles(PullRequestRef pr, CommitSha head, JsonNode request) {
    if (request.path("state").asString("").equals("locked")) {
      return List.of("GitLab is merging it right now.");
    }
    if (MergeStatus.isNotYet(request)) {
      return last(pr, request).map(Said::obstacles).orElse(MergeStatus.obstacles(request));
    }
    List<String> obstacles = MergeStatus.obstacles(request);
    said.put(pr, new Said(head, obstacles));
    return obstacles;
  }

  static boolean isOpen(JsonNode request) {
    String state = request.path("state").asString("");
    return state.equals("opened") || state.equals("locked");
  }

  private static Status status(JsonNode request) {
    if (request.path("state").asString("").equals("merged")) {
      return Status.MERGED;
    }
    if (!isOpen(request)) {
      return Status.CLOSED;
    }
    boolean draft =
        request.path("draft").asBoolean(false) || request.path("work_in_progress").asBoolean(false);
    return draft ? Status.DRAFT : Status.OPEN;
  }

  static boolean isOwn(JsonNode request) {
    return request.path("source_project_id").asLong(-1)
        == request.path("target_project_id").asLong(-2);
  }

  private static Optional<String> headBranch(JsonNode request) {
    return isOwn(request) ? HostJson.branch(request.path("source_branch")) : Optional.empty();
  }

  /** By fast-forward, no commit is made: the squash or the head itself is what landed. */
  private static Optional<CommitSha> mergedAs(JsonNode request) {
    return Optional.of(request)
        .filter(r -> status(r) == Status.MERGED)
        .flatMap(
            r ->
                HostJson.commit(r.path("merge_commit_sha"))
                    .or(() -> HostJson.commit(r.path("squash_commit_sha")))
                    .or(() -> HostJson.commit(r.path("sha"))));
  }

  void close(PullRequestRef pr) {
    if (raw(pr).filter(GitLabRequests::isOpen).isPresent()) {
      project.change("PUT", GitLabProject.request(pr), Map.of("state_event", "close"));
    }
  }

  private ForgeUnavailable unreadable(PullRequestRef pr, String what) {
    return new ForgeUnavailable(
        "The host of %s shows no %s of merge request %s yet.".formatted(project.place(), what, pr));
  }
}
